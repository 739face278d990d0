/* host.c - the cores' clocks and the container's limits, from /sys and /proc below a root. */
#include "core/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fields.h"

enum { MOST_CPUS = 1024 };

static bool read_text(const char *root, const char *file, char *to, size_t size)
{
    char path[768];
    FILE *f;

    snprintf(path, sizeof path, "%s%s", strcmp(root, "/") ? root : "", file);
    f = fopen(path, "r");
    if (!f)
        return false;
    to[fread(to, 1, size - 1, f)] = 0;
    fclose(f);
    return true;
}

static int64_t read_number(const char *root, const char *file)
{
    char text[64], *end;
    int64_t value;

    if (!read_text(root, file, text, sizeof text))
        return -1;
    value = strtoll(text, &end, 10);
    return end == text ? -1 : value;
}

/* "key 12" in a text of lines. */
static int64_t line_number(const char *text, const char *key)
{
    const size_t n = strlen(key);

    for (const char *line = text; line && *line;) {
        if (!strncmp(line, key, n) && line[n] == ' ')
            return strtoll(line + n, NULL, 10);
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    return -1;
}

static void probe_clocks(struct aisp_host *h, const char *root)
{
    char file[128], text[64];

    for (int cpu = 0; cpu < MOST_CPUS; cpu++) {
        int64_t khz;

        snprintf(file, sizeof file, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", cpu);
        if (!read_text(root, file, text, sizeof text))
            break;
        text[strcspn(text, "\n")] = 0;
        if (h->governor_cpu < 0 && strcmp(text, "performance")) {
            snprintf(h->governor, sizeof h->governor, "%.23s", text);
            h->governor_cpu = cpu;
        }
        snprintf(file, sizeof file, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", cpu);
        khz = read_number(root, file);
        if (khz < 0)
            continue;
        if (h->khz_low < 0 || khz < h->khz_low) {
            h->khz_low = khz;
            h->khz_low_cpu = cpu;
        }
        h->khz_high = khz > h->khz_high ? khz : h->khz_high;
    }
}

/* "0-3,8" are five. */
static int count_list(const char *text)
{
    int n = 0;

    for (const char *p = text; *p;) {
        char *end;
        const long first = strtol(p, &end, 10);
        const long last = end != p && *end == '-' ? strtol(end + 1, &end, 10) : first;

        if (end == p || last < first)
            break;
        n += (int)(last - first + 1);
        p = *end == ',' ? end + 1 : end;
        if (*end != ',')
            break;
    }
    return n > 0 ? n : -1;
}

/* Our group under a controller's mount: "0::/a/b" of v2, "4:cpu,cpuacct:/a/b" of v1. */
static void group_of(const char *root, const char *controller, char *to, size_t size)
{
    char text[4096];

    *to = 0;
    if (!read_text(root, "/proc/self/cgroup", text, sizeof text))
        return;
    for (char *line = text; line && *line;) {
        char *next = strchr(line, '\n'), *names = strchr(line, ':');
        char *path = names ? strchr(names + 1, ':') : NULL;

        if (next)
            *next++ = 0;
        if (path && (*controller ? !strncmp(names + 1, controller, strlen(controller))
                                 : path == names + 1)) {
            snprintf(to, size, "%s", strcmp(path + 1, "/") ? path + 1 : "");
            return;
        }
        line = next;
    }
}

/* A container may see its group as the root of the mount. */
static bool group_text(const char *root, const char *controller, const char *file, char *to,
                       size_t size)
{
    char group[256], path[512];
    const char *slash = *controller ? "/" : "";

    group_of(root, controller, group, sizeof group);
    snprintf(path, sizeof path, "/sys/fs/cgroup%s%s%s/%s", slash, controller, group, file);
    if (read_text(root, path, to, size))
        return true;
    snprintf(path, sizeof path, "/sys/fs/cgroup%s%s/%s", slash, controller, file);
    return read_text(root, path, to, size);
}

static void probe_container(struct aisp_host *h, const char *root)
{
    char text[4096];
    const bool v2 = read_text(root, "/sys/fs/cgroup/cgroup.controllers", text, sizeof text);

    if (group_text(root, v2 ? "" : "cpuset", v2 ? "cpuset.cpus.effective" : "cpuset.effective_cpus",
                   text, sizeof text) ||
        group_text(root, v2 ? "" : "cpuset", "cpuset.cpus", text, sizeof text))
        h->cpuset_cpus = count_list(text);
    if (group_text(root, v2 ? "" : "pids", "pids.max", text, sizeof text) && *text != 'm')
        h->pids_max = strtoll(text, NULL, 10);
    if (group_text(root, v2 ? "" : "cpu", "cpu.stat", text, sizeof text))
        h->throttled_periods = line_number(text, "nr_throttled");
    if (v2 && group_text(root, "", "memory.events", text, sizeof text))
        h->memory_events = line_number(text, "max");
    else if (!v2 && group_text(root, "memory", "memory.failcnt", text, sizeof text))
        h->memory_events = strtoll(text, NULL, 10);
}

void aisp_host_probe(struct aisp_host *h, const char *root)
{
    *h = (struct aisp_host){ .known = true,
                             .governor_cpu = -1,
                             .khz_low = -1,
                             .khz_high = -1,
                             .khz_low_cpu = -1,
                             .cpuset_cpus = -1,
                             .pids_max = -1,
                             .throttled_periods = -1,
                             .memory_events = -1 };
    probe_clocks(h, root);
    probe_container(h, root);
}

#define INT(name) AISP_FIELD_AT(struct aisp_host, AISP_FIELD_INT, name, 1, 0)
static const struct aisp_field fields[] = {
    AISP_FIELD_AT(struct aisp_host, AISP_FIELD_BOOL, known, 1, 0),
    AISP_FIELD_AT(struct aisp_host, AISP_FIELD_TEXT, governor, 1, 0),
    INT(governor_cpu),
    INT(khz_low),
    INT(khz_high),
    INT(khz_low_cpu),
    INT(cpuset_cpus),
    INT(pids_max),
    INT(throttled_periods),
    INT(memory_events),
};
enum { N_FIELDS = sizeof fields / sizeof *fields };

json_t *aisp_host_to_json(const struct aisp_host *host)
{
    return host->known ? aisp_fields_to_object(fields, N_FIELDS, host) : NULL;
}

enum aisp_status aisp_host_from_json(const json_t *json, struct aisp_host *host,
                                     struct aisp_err *err)
{
    if (!json || json_is_null(json))
        return AISP_OK;
    return aisp_fields_from_object(fields, N_FIELDS, json, "host", host, err);
}
