/* machine.c - what is put together of several files: devices, control groups, mounts, modules, processes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "doctor/root.h"

const char *aisp_root_variable(const struct aisp_root *root, const char *name)
{
    const size_t n = strlen(name);

    for (char **at = root->environment; at && *at; at++)
        if (!strncmp(*at, name, n) && (*at)[n] == '=')
            return *at + n + 1;
    return NULL;
}

bool aisp_root_boot_option(const struct aisp_root *root, const char *name, char *to, size_t size, bool *known)
{
    char *line = aisp_root_text(root, "/proc/cmdline");
    const size_t n = strlen(name);
    bool found = false;

    *to = 0;
    *known = line != NULL;
    for (const char *at = line; at && *at; at += strcspn(at, " \n"), at += strspn(at, " \n"))
        if (!strncmp(at, name, n) && (!at[n] || strchr("= \n", at[n]))) {
            const char *value = at[n] == '=' ? at + n + 1 : "";

            snprintf(to, size, "%.*s", (int)strcspn(value, " \n"), value);   /* the last one counts */
            found = true;
        }
    free(line);
    return found;
}

int aisp_root_count_cpus(const struct aisp_root *root)
{
    char list[256];

    return aisp_root_line(root, list, sizeof list, "/sys/devices/system/cpu/online") ? aisp_list_count(list) : -1;
}

int aisp_root_count_nodes(const struct aisp_root *root)
{
    char list[256];

    return aisp_root_line(root, list, sizeof list, "/sys/devices/system/node/online") ? aisp_list_count(list) : -1;
}

int64_t aisp_root_memory_bytes(const struct aisp_root *root)
{
    char *text = aisp_root_text(root, "/proc/meminfo");
    int64_t kib;
    const bool good = aisp_text_integer(text, "MemTotal", &kib);

    free(text);
    return good ? kib * 1024 : -1;
}

int aisp_root_has_process(const struct aisp_root *root, const char *name)
{
    for (const char *at = root->processes; at && *at; at += strcspn(at, "\n") + 1) {
        const size_t n = strcspn(at, "\n");

        if (!strncmp(at, name, n) && (n == 15 || !name[n]))   /* 15: the name may go on */
            return 1;
    }
    return root->processes ? 0 : -1;
}

int aisp_root_has_module(const struct aisp_root *root, const char *name)
{
    char *text = aisp_root_text(root, "/proc/modules"), word[256];
    const bool loaded = aisp_text_field(text, name, word, sizeof word), readable = text != NULL;

    free(text);
    if (loaded || aisp_root_exists(root, "/sys/module/%s", name))   /* built in, or /proc/modules is hidden */
        return 1;
    return readable || aisp_root_exists(root, "/sys/module") ? 0 : -1;
}

bool aisp_root_has_program(const struct aisp_root *root, const char *name, bool *known)
{
    const char *path = aisp_root_variable(root, "PATH");

    *known = path != NULL;
    for (const char *at = path; at && *at; at += strcspn(at, ":"), at += *at == ':')
        if (aisp_root_exists(root, "%.*s/%s", (int)strcspn(at, ":"), at, name))
            return true;
    return false;
}

/* ---- control groups ---- */

/* The own group of a v1 controller, or of v2 (controller ""), out of lines "4:cpu,cpuacct:/path". */
static bool own_group(const char *text, const char *controller, char *to, size_t size)
{
    for (const char *line = text; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        const char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;
        char list[128];

        if (!path || path[1] != '/')
            return false;
        snprintf(list, sizeof list, "%.*s", (int)(path - names - 1), names + 1);
        if (*controller ? aisp_text_has_word(list, controller) : !*list) {
            snprintf(to, size, "%.*s", (int)strcspn(path + 1, "\n"), path + 1);
            return true;
        }
    }
    return false;
}

bool aisp_root_cgroup_above(const struct aisp_root *root, const char *controller, const char *v1, const char *v2, int up,
                            char **text)
{
    const bool is_v2 = aisp_root_exists(root, "/sys/fs/cgroup/cgroup.controllers");
    char *groups = aisp_root_text(root, "/proc/self/cgroup"), group[256] = "", tree[64] = "/sys/fs/cgroup", *slash = group;
    const char *file = is_v2 ? v2 : v1;
    bool exists = file && (own_group(groups, is_v2 ? "" : controller, group, sizeof group) || !groups);

    *text = NULL;
    free(groups);
    if (!is_v2)
        snprintf(tree, sizeof tree, "/sys/fs/cgroup/%s", controller);
    if (!strcmp(group, "/"))
        *group = 0;
    for (; up > 0 && exists; up--) {
        slash = strrchr(group, '/');
        if (slash)
            *slash = 0;
        exists = slash != NULL;
    }
    if (exists)
        *text = aisp_root_text(root, "%s%s/%s", tree, group, file);
    return exists;
}

char *aisp_root_cgroup(const struct aisp_root *root, const char *controller, const char *v1, const char *v2)
{
    char *text = NULL;

    for (int up = 0; !text && aisp_root_cgroup_above(root, controller, v1, v2, up, &text); up++)
        ;
    return text;
}

/* ---- mounts ---- */

/* Is `path` at or below `at`? */
static bool is_below(const char *path, const char *at)
{
    const size_t n = strlen(at);

    return !strcmp(at, "/") || (!strncmp(path, at, n) && (!path[n] || path[n] == '/'));
}

bool aisp_root_mount(const struct aisp_root *root, const char *path, struct aisp_mount *mount)
{
    char *text = aisp_root_text(root, "/proc/self/mounts");
    size_t longest = 0;
    bool found = false;

    if (!text)
        text = aisp_root_text(root, "/proc/mounts");
    for (const char *line = text; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        struct aisp_mount m;

        if (sscanf(line, "%127s %255s %31s %511s", m.device, m.at, m.type, m.options) == 4 && is_below(path, m.at) &&
            strlen(m.at) >= longest) {   /* of two at one place the later hides the earlier */
            *mount = m;
            longest = strlen(m.at);
            found = true;
        }
    }
    free(text);
    return found;
}

/* ---- PCI ---- */

bool aisp_pci_is_console(int vendor)
{
    /* ASPEED, Matrox, QEMU, virtio, VMware, Cirrus, Red Hat (QXL), Microsoft (Hyper-V) */
    static const int vendors[] = { 0x1a03, 0x102b, 0x1234, 0x1af4, 0x15ad, 0x1013, 0x1b36, 0x1414 };

    for (size_t i = 0; i < sizeof vendors / sizeof *vendors; i++)
        if (vendor == vendors[i])
            return true;
    return false;
}

void aisp_root_pci(const struct aisp_root *root, int class_high, struct aisp_devices *devices)
{
    struct aisp_root_names names;

    *devices = (struct aisp_devices)AISP_DEVICES_INIT;
    devices->known = aisp_root_list(root, &names, "", "/sys/bus/pci/devices");
    for (size_t i = 0; i < names.n; i++) {
        int64_t code, vendor = -1, node = -1;
        struct aisp_device *d;

        if (!aisp_root_integer(root, &code, "/sys/bus/pci/devices/%s/class", names.name[i]) || code >> 16 != class_high)
            continue;
        aisp_root_integer(root, &vendor, "/sys/bus/pci/devices/%s/vendor", names.name[i]);
        if (class_high == AISP_PCI_DISPLAY && aisp_pci_is_console((int)vendor))
            continue;
        aisp_root_integer(root, &node, "/sys/bus/pci/devices/%s/numa_node", names.name[i]);
        d = aisp_grow(&devices->device, &devices->n, &devices->cap, sizeof *d);
        snprintf(d->address, sizeof d->address, "%.15s", names.name[i]);
        d->class_code = (int)(code >> 8);
        d->vendor = (int)vendor;
        d->node = (int)node;
    }
    aisp_names_release(&names);
}

void aisp_devices_release(struct aisp_devices *devices)
{
    free(devices->device);
    *devices = (struct aisp_devices)AISP_DEVICES_INIT;
}

int aisp_root_has_nvidia(const struct aisp_root *root)
{
    struct aisp_devices gpus;
    bool known, found = false;

    aisp_root_pci(root, AISP_PCI_DISPLAY, &gpus);
    for (size_t i = 0; i < gpus.n; i++)
        found |= gpus.device[i].vendor == AISP_PCI_NVIDIA;
    known = gpus.known;
    aisp_devices_release(&gpus);
    if (found || aisp_root_exists(root, "/proc/driver/nvidia/version"))
        return 1;
    return known ? 0 : -1;
}
