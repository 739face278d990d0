/* hardware.c - architecture and hardware planning: what is in the machine, how it is wired, and whether it is healthy. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "doctor/item.h"

#define PCI "/sys/bus/pci/devices"

static void virtual_machine(const struct aisp_root *root, struct aisp_found *found)
{
    char *text = aisp_root_text(root, "/proc/cpuinfo"), flags[4096], product[64] = "";

    aisp_root_line(root, product, sizeof product, "/sys/class/dmi/id/product_name");
    if (aisp_text_field(text, "flags", flags, sizeof flags))
        aisp_found_judged(found, !aisp_text_has_word(flags, "hypervisor"), AISP_DIAGNOSIS_ATTENTION, "%s%s%s",
                          aisp_text_has_word(flags, "hypervisor") ? "a virtual machine" : "no hypervisor",
                          *product ? ": " : "", product);
    else if (text && aisp_root_exists(root, "/sys/hypervisor/type"))
        aisp_found_attention(found, "a virtual machine");
    else
        aisp_found_unreadable(found, "the flags of /proc/cpuinfo");
    free(text);
}

AISP_ITEM(virtual_machine) = {
    .id = "hardware.bare-metal",
    .title = "The machine is not a virtual one",
    .why = "In a guest the CPUs may be taken away, caches and memory bandwidth are shared with strangers, and topology "
           "is whatever the host says; results are graded development.",
    .how = "flag hypervisor in /proc/cpuinfo",
    .fix = "# a bare-metal instance, or accept it:\n"
           "export AISP_ALLOW_VIRTUALIZATION=1",
    .check = virtual_machine,
};

/* ---- PCI links ---- */

/* False: found is filled. */
static bool list_devices(const struct aisp_root *root, struct aisp_found *found, int class_high, const char *what,
                         struct aisp_devices *devices)
{
    aisp_root_pci(root, class_high, devices);
    if (!devices->known)
        aisp_found_unreadable(found, PCI);
    else if (!devices->n)
        aisp_found_not_applicable(found, "there is no %s on PCI", what);
    return devices->n > 0;
}

/* Compare current_link_NAME with max_link_NAME; what falls short is listed. */
static void judge_links(const struct aisp_root *root, struct aisp_found *found, int class_high, const char *what,
                        const char *name, enum aisp_diagnosis bad)
{
    struct aisp_devices devices;
    struct aisp_buf slow = AISP_BUF_INIT;
    char now[48], most[48], path[96];
    int n = 0;

    if (list_devices(root, found, class_high, what, &devices)) {
        for (size_t i = 0; i < devices.n; i++) {
            snprintf(path, sizeof path, PCI "/%s", devices.device[i].address);
            /* Width 0 and "Unknown": a virtual device has no link. */
            if (!aisp_root_line(root, now, sizeof now, "%s/current_link_%s", path, name) ||
                !aisp_root_line(root, most, sizeof most, "%s/max_link_%s", path, name) || strtod(now, NULL) <= 0)
                continue;
            n++;
            if (strtod(now, NULL) < strtod(most, NULL) && slow.len < 120)
                aisp_buf_printf(&slow, "%s%s %.*s of %s", slow.len ? ", " : "", devices.device[i].address,
                                (int)strcspn(now, " "), now, most);
        }
        if (n)
            aisp_found_judged(found, !slow.len, bad, "%d looked at%s%s", n, slow.len ? ": " : "", slow.len ? slow.s : "");
        else
            aisp_found_not_applicable(found, "no %s says the %s of its link", what, name);
    }
    aisp_buf_release(&slow);
    aisp_devices_release(&devices);
}

static void gpu_width(const struct aisp_root *root, struct aisp_found *found)
{
    judge_links(root, found, AISP_PCI_DISPLAY, "GPU", "width", AISP_DIAGNOSIS_PROBLEM);
}

AISP_ITEM(gpu_width) = {
    .id = "hardware.gpu-link-width",
    .title = "Every GPU has all lanes of its slot",
    .why = "A card that is not seated well, or a riser, trains to half the lanes or less: copies take twice as long and "
           "nothing reports an error.",
    .how = "current_link_width against max_link_width, PCI class 03",
    .fix = "nvidia-smi -q -d PCIE   # then reseat the card",
    .check = gpu_width,
};

static void gpu_speed(const struct aisp_root *root, struct aisp_found *found)
{
    /* Only attention: an idle GPU lowers the speed to save power and raises it under load. */
    judge_links(root, found, AISP_PCI_DISPLAY, "GPU", "speed", AISP_DIAGNOSIS_ATTENTION);
}

AISP_ITEM(gpu_speed) = {
    .id = "hardware.gpu-link-speed",
    .title = "Every GPU's link runs at its full rate",
    .why = "A link may train a generation lower. Look again under load: an idle card lowers the rate by itself.",
    .how = "current_link_speed against max_link_speed, PCI class 03",
    .fix = "nvidia-smi --query-gpu=pcie.link.gen.current,pcie.link.gen.max \\\n"
           "  --format=csv",
    .check = gpu_speed,
};

static void nic_width(const struct aisp_root *root, struct aisp_found *found)
{
    judge_links(root, found, AISP_PCI_NETWORK, "network card", "width", AISP_DIAGNOSIS_PROBLEM);
}

AISP_ITEM(nic_width) = {
    .id = "hardware.nic-link-width",
    .title = "Every network card has all lanes of its slot",
    .why = "A card of 400 Gb/s needs 16 lanes of generation 5; with 8 the collective is bound by the slot and the "
           "network looks idle.",
    .how = "current_link_width against max_link_width, PCI class 02",
    .fix = "lspci -vv -d ::0200 | grep -e LnkCap -e LnkSta",
    .check = nic_width,
};

static void nic_speed(const struct aisp_root *root, struct aisp_found *found)
{
    judge_links(root, found, AISP_PCI_NETWORK, "network card", "speed", AISP_DIAGNOSIS_PROBLEM);
}

AISP_ITEM(nic_speed) = {
    .id = "hardware.nic-link-speed",
    .title = "Every network card's link runs at its full rate",
    .why = "Unlike GPUs network cards do not lower the rate when idle: a lower one means a slot or a setting of an older "
           "generation.",
    .how = "current_link_speed against max_link_speed, PCI class 02",
    .fix = "lspci -vv -d ::0200 | grep -e LnkCap -e LnkSta",
    .check = nic_speed,
};

static void nvme_width(const struct aisp_root *root, struct aisp_found *found)
{
    judge_links(root, found, AISP_PCI_STORAGE, "disk controller", "width", AISP_DIAGNOSIS_ATTENTION);
}

AISP_ITEM(nvme_width) = {
    .id = "hardware.nvme-link-width",
    .title = "Every NVMe disk has all of its lanes",
    .why = "Boards share lanes between slots: a disk in the wrong one has two of its four, and loads weights in twice "
           "the time.",
    .how = "current_link_width against max_link_width, PCI class 01",
    .fix = "lspci -vv -d ::0108 | grep -e LnkCap -e LnkSta",
    .check = nvme_width,
};

static void pci_errors(const struct aisp_root *root, struct aisp_found *found)
{
    static const char *const files[] = { "aer_dev_correctable", "aer_dev_nonfatal", "aer_dev_fatal" };
    static const char *const totals[] = { "TOTAL_ERR_COR", "TOTAL_ERR_NONFATAL", "TOTAL_ERR_FATAL" };
    struct aisp_root_names devices;
    int64_t n[3] = { 0 }, value;
    char first[16] = "";
    int seen = 0;

    if (!aisp_root_list(root, &devices, "", PCI)) {
        aisp_found_unreadable(found, PCI);
        return;
    }
    for (size_t i = 0; i < devices.n; i++)
        for (int k = 0; k < 3; k++) {
            char *text = aisp_root_text(root, PCI "/%s/%s", devices.name[i], files[k]);

            if (aisp_text_integer(text, totals[k], &value)) {
                seen++;
                if (value && !*first)
                    snprintf(first, sizeof first, "%.15s", devices.name[i]);
                n[k] += value;
            }
            free(text);
        }
    aisp_names_release(&devices);
    if (!seen)
        aisp_found_not_applicable(found, "no device counts errors (no AER)");
    else
        aisp_found_judged(found, !*first, n[1] || n[2] ? AISP_DIAGNOSIS_PROBLEM : AISP_DIAGNOSIS_ATTENTION,
                          "%lld corrected, %lld not fatal, %lld fatal%s%s", (long long)n[0], (long long)n[1], (long long)n[2],
                          *first ? ", first at " : "", first);
}

AISP_ITEM(pci_errors) = {
    .id = "hardware.pcie-errors",
    .title = "No PCIe link corrects errors",
    .why = "A corrected error is a packet sent again: bandwidth falls and latencies scatter long before anything fails.",
    .how = "aer_dev_correctable, _nonfatal and _fatal of all PCI devices",
    .fix = "dmesg | grep -i aer   # then reseat or replace",
    .check = pci_errors,
};

static void resizable_bar(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_devices gpus;
    unsigned long long largest, least = ~0ull;
    size_t n_integrated = 0;
    int n = 0;

    if (list_devices(root, found, AISP_PCI_DISPLAY, "GPU", &gpus)) {
        for (size_t i = 0; i < gpus.n; i++) {
            const bool integrated = !strncmp(gpus.device[i].address + 4, ":00:", 4);   /* shares the memory of the host */
            char *text = integrated ? NULL : aisp_root_text(root, PCI "/%s/resource", gpus.device[i].address);

            n_integrated += integrated;
            largest = 0;
            for (const char *line = text; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
                unsigned long long first, last;

                if (sscanf(line, "%llx %llx", &first, &last) == 2 && last > first && last - first + 1 > largest)
                    largest = last - first + 1;
            }
            free(text);
            if (largest) {
                n++;
                least = largest < least ? largest : least;
            }
        }
        if (n_integrated == gpus.n)
            aisp_found_not_applicable(found, "the GPU shares the memory of the host");
        else if (!n)
            aisp_found_unreadable(found, PCI "/*/resource");
        else   /* 256 MiB is the window of old firmware; with resizing it is as large as the memory */
            aisp_found_judged(found, least > 256ull << 20, AISP_DIAGNOSIS_ATTENTION, "the smallest window has %llu MiB",
                              least >> 20);
    }
    aisp_devices_release(&gpus);
}

AISP_ITEM(resizable_bar) = {
    .id = "hardware.gpu-window",
    .title = "The whole memory of a GPU can be reached over PCIe",
    .why = "Peers, network cards and disks reach a GPU through its window; one of 256 MiB has to be moved about, and "
           "transfers between peers fall back to host memory.",
    .how = "the largest region in resource of every GPU",
    .fix = "# firmware setup: Above 4G Decoding and Resizable BAR on",
    .check = resizable_bar,
};

static void runtime_sleep(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_devices gpus;
    char word[16], first[16] = "";
    int n = 0;

    if (list_devices(root, found, AISP_PCI_DISPLAY, "GPU", &gpus)) {
        for (size_t i = 0; i < gpus.n; i++)
            if (aisp_root_line(root, word, sizeof word, PCI "/%s/power/control", gpus.device[i].address)) {
                n++;
                if (!strcmp(word, "auto") && !*first)
                    snprintf(first, sizeof first, "%s", gpus.device[i].address);
            }
        if (!n)
            aisp_found_unreadable(found, PCI "/*/power/control");
        else
            aisp_found_judged(found, !*first, AISP_DIAGNOSIS_ATTENTION, "%s%s", *first ? "may be suspended: " : "all stay on",
                              first);
    }
    aisp_devices_release(&gpus);
}

AISP_ITEM(runtime_sleep) = {
    .id = "hardware.gpu-suspend",
    .title = "An idle GPU is not suspended",
    .why = "Waking a suspended card takes hundreds of milliseconds, paid by the first call after each pause.",
    .how = "power/control of every GPU",
    .fix = "echo on > /sys/bus/pci/devices/ADDRESS/power/control",
    .check = runtime_sleep,
};

static void driver_bound(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_devices gpus;
    struct aisp_buf bound = AISP_BUF_INIT;
    char driver[32], without[16] = "";

    if (list_devices(root, found, AISP_PCI_DISPLAY, "GPU", &gpus)) {
        for (size_t i = 0; i < gpus.n; i++)
            if (aisp_root_link(root, driver, sizeof driver, PCI "/%s/driver", gpus.device[i].address)) {
                if (!bound.len || !strstr(bound.s, driver))
                    aisp_buf_printf(&bound, "%s%s", bound.len ? ", " : "", driver);
            } else if (!*without) {
                snprintf(without, sizeof without, "%s", gpus.device[i].address);
            }
        if (*without)
            aisp_found_problem(found, "no driver holds %s", without);
        else
            aisp_found_judged(found, !strstr(bound.s, "vfio") && !strstr(bound.s, "nouveau"), AISP_DIAGNOSIS_PROBLEM,
                              "%zu held by %s", gpus.n, bound.s);
    }
    aisp_buf_release(&bound);
    aisp_devices_release(&gpus);
}

AISP_ITEM(driver_bound) = {
    .id = "hardware.gpu-driver",
    .title = "A driver that can compute holds every GPU",
    .why = "A GPU that nouveau or vfio took at boot is not seen by the compute driver, and a job sees one card fewer.",
    .how = "the link driver of every device of PCI class 03",
    .fix = "echo 'blacklist nouveau' > /etc/modprobe.d/nouveau.conf\n"
           "update-initramfs -u   # and reboot",
    .check = driver_bound,
};

/* ---- where things are ---- */

/* Two nodes or more? Else found is filled. */
static bool has_nodes(const struct aisp_root *root, struct aisp_found *found)
{
    const int nodes = aisp_root_count_nodes(root);

    if (nodes < 0)
        aisp_found_unreadable(found, "/sys/devices/system/node/online");
    if (nodes == 0 || nodes == 1)
        aisp_found_not_applicable(found, "one NUMA node");
    return nodes > 1;
}

static void gpu_node(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_devices gpus;
    int n = 0;

    if (list_devices(root, found, AISP_PCI_DISPLAY, "GPU", &gpus)) {
        for (size_t i = 0; i < gpus.n; i++)
            n += gpus.device[i].node < 0;
        if (has_nodes(root, found))
            aisp_found_judged(found, !n, AISP_DIAGNOSIS_ATTENTION, "%d of %zu GPUs have no NUMA node", n, gpus.n);
    }
    aisp_devices_release(&gpus);
}

AISP_ITEM(gpu_node) = {
    .id = "hardware.gpu-node",
    .title = "The firmware says to which NUMA node each GPU belongs",
    .why = "Ranks are bound to the CPUs beside their GPU by this number; without it they land anywhere, and copies cross "
           "the link between sockets.",
    .how = "numa_node of every GPU",
    .fix = "# update the firmware; in a guest: pass the topology through",
    .check = gpu_node,
};

/* Devices of a class on each node, for at most 64 nodes. */
static void count_on_nodes(const struct aisp_devices *devices, int n[64])
{
    for (size_t i = 0; i < devices->n; i++)
        if (devices->device[i].node >= 0 && devices->device[i].node < 64)
            n[devices->device[i].node]++;
}

static void gpu_balance(const struct aisp_root *root, struct aisp_found *found)
{
    int n[64] = { 0 }, low = 1 << 20, high = 0, used = 0;
    struct aisp_devices gpus;

    if (!list_devices(root, found, AISP_PCI_DISPLAY, "GPU", &gpus))
        return;
    count_on_nodes(&gpus, n);
    for (int i = 0; i < 64; i++)
        if (n[i]) {
            low = n[i] < low ? n[i] : low;
            high = n[i] > high ? n[i] : high;
            used++;
        }
    if (gpus.n < 2 || !used)
        aisp_found_not_applicable(found, gpus.n < 2 ? "one GPU" : "no GPU has a NUMA node");
    else if (has_nodes(root, found))
        aisp_found_judged(found, used > 1 && low == high, AISP_DIAGNOSIS_ATTENTION,
                          "on %d of %d nodes, from %d to %d on one", used, aisp_root_count_nodes(root), low, high);
    aisp_devices_release(&gpus);
}

AISP_ITEM(gpu_balance) = {
    .id = "hardware.gpu-balance",
    .title = "The GPUs are spread evenly over the NUMA nodes",
    .why = "If one socket feeds six GPUs and the other two, loaders and copies of the six share one memory and one set "
           "of lanes.",
    .how = "numa_node of all GPUs",
    .fix = "# plan slots by the board's block diagram",
    .check = gpu_balance,
};

static void nic_near_gpu(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_devices gpus, nics;
    int g[64] = { 0 }, c[64] = { 0 }, missing = -1;

    aisp_root_pci(root, AISP_PCI_NETWORK, &nics);
    if (list_devices(root, found, AISP_PCI_DISPLAY, "GPU", &gpus)) {
        count_on_nodes(&gpus, g);
        count_on_nodes(&nics, c);
        for (int i = 0; i < 64; i++)
            if (g[i] && !c[i])
                missing = i;
        if (!nics.n)
            aisp_found_not_applicable(found, "there is no network card on PCI");
        else if (has_nodes(root, found) && missing >= 0)
            aisp_found_attention(found, "node %d has GPUs and no network card", missing);
        else if (aisp_root_count_nodes(root) > 1)
            aisp_found_ok(found, "each node with GPUs has a network card");
    }
    aisp_devices_release(&nics);
    aisp_devices_release(&gpus);
}

AISP_ITEM(nic_near_gpu) = {
    .id = "hardware.nic-near-gpu",
    .title = "Each node that has GPUs has a network card too",
    .why = "A GPU without a near card sends over the link between sockets, where it competes with memory traffic; direct "
           "RDMA is then slower than through the host.",
    .how = "numa_node of PCI classes 02 and 03",
    .fix = "nvidia-smi topo -m   # SYS between a GPU and its NIC is bad",
    .check = nic_near_gpu,
};

static void memory_balance(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names nodes;
    int64_t low = INT64_MAX, high = 0;
    int n = 0;

    aisp_root_list(root, &nodes, "node#", "/sys/devices/system/node");
    for (size_t i = 0; i < nodes.n; i++) {
        char *text = aisp_root_text(root, "/sys/devices/system/node/%s/meminfo", nodes.name[i]);
        char *at = text ? strstr(text, "MemTotal:") : NULL;
        const int64_t kib = at ? strtoll(at + strlen("MemTotal:"), NULL, 10) : -1;

        free(text);
        if (kib >= 0) {
            n++;
            low = kib < low ? kib : low;
            high = kib > high ? kib : high;
        }
    }
    aisp_names_release(&nodes);
    if (!n)
        aisp_found_unreadable(found, "/sys/devices/system/node/node*/meminfo");
    else if (n == 1)
        aisp_found_not_applicable(found, "one NUMA node");
    else   /* the kernel itself takes 1 to 3 % of the first node */
        aisp_found_judged(found, (double)low > 0.9 * (double)high, AISP_DIAGNOSIS_ATTENTION, "from %.1f to %.1f GiB a node",
                          (double)low / 1048576, (double)high / 1048576);
}

AISP_ITEM(memory_balance) = {
    .id = "hardware.memory-balance",
    .title = "All NUMA nodes have the same memory",
    .why = "A node with fewer modules has fewer channels and so less bandwidth, and its processes spill to the other "
           "node first.",
    .how = "MemTotal in node*/meminfo",
    .fix = "dmidecode -t memory | grep -e Locator -e Size",
    .check = memory_balance,
};

static void memory_errors(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names controllers;
    int64_t corrected = 0, lost = 0, value;
    int n = 0;

    aisp_root_list(root, &controllers, "mc#", "/sys/devices/system/edac/mc");
    for (size_t i = 0; i < controllers.n; i++) {
        if (aisp_root_integer(root, &value, "/sys/devices/system/edac/mc/%s/ce_count", controllers.name[i]))
            corrected += value, n++;
        if (aisp_root_integer(root, &value, "/sys/devices/system/edac/mc/%s/ue_count", controllers.name[i]))
            lost += value;
    }
    aisp_names_release(&controllers);
    if (!n)
        aisp_found_unreadable(found, "/sys/devices/system/edac/mc: no memory controller reports errors");
    else
        aisp_found_judged(found, !corrected && !lost, lost ? AISP_DIAGNOSIS_PROBLEM : AISP_DIAGNOSIS_ATTENTION,
                          "%lld corrected and %lld uncorrected errors since boot", (long long)corrected, (long long)lost);
}

AISP_ITEM(memory_errors) = {
    .id = "hardware.memory-errors",
    .title = "Memory has no errors, and somebody would notice",
    .why = "Without ECC a flipped bit is a wrong weight or a crash at random; with it each correction costs time and "
           "announces the module that will fail.",
    .how = "ce_count and ue_count under /sys/devices/system/edac/mc",
    .fix = "apt-get install rasdaemon && ras-mc-ctl --errors",
    .check = memory_errors,
};

static void cpus_per_gpu(const struct aisp_root *root, struct aisp_found *found)
{
    const int cpus = aisp_root_count_cpus(root);
    struct aisp_devices gpus;

    if (list_devices(root, found, AISP_PCI_DISPLAY, "GPU", &gpus)) {
        if (cpus < 0)
            aisp_found_unreadable(found, "/sys/devices/system/cpu/online");
        else   /* one that launches, one for collectives, two and more that decode; twice, for SMT */
            aisp_found_judged(found, cpus >= 8 * (int)gpus.n, AISP_DIAGNOSIS_ATTENTION, "%d CPUs for %zu GPU%s", cpus, gpus.n,
                              gpus.n == 1 ? "" : "s");
    }
    aisp_devices_release(&gpus);
}

AISP_ITEM(cpus_per_gpu) = {
    .id = "hardware.cpus-per-gpu",
    .title = "There are enough CPUs to keep the GPUs fed",
    .why = "Each GPU wants a thread that launches, one for collectives and several that decode and augment; with fewer "
           "the GPU waits, and its utilisation still reads high.",
    .how = "CPUs online and devices of PCI class 03",
    .fix = "# move decoding to the GPU, or a larger host",
    .check = cpus_per_gpu,
};

static void iommu(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names units;
    char value[32];
    bool known, through;
    const bool readable = aisp_root_list(root, &units, "", "/sys/class/iommu");
    const size_t n = units.n;

    aisp_names_release(&units);
    through = aisp_root_boot_option(root, "iommu", value, sizeof value, &known) && !strcmp(value, "pt");
    through |= aisp_root_boot_option(root, "iommu.passthrough", value, sizeof value, &known) && !strcmp(value, "1");
    through |= aisp_root_line(root, value, sizeof value, "/sys/kernel/iommu_groups/0/type") && !strcmp(value, "identity");
    if (!readable && !aisp_root_exists(root, "/sys/class"))
        aisp_found_unreadable(found, "/sys/class/iommu");
    else if (!n)
        aisp_found_ok(found, "no IOMMU is active");
    else if (!known)
        aisp_found_unreadable(found, "/proc/cmdline");
    else
        aisp_found_judged(found, through, AISP_DIAGNOSIS_ATTENTION, "%zu IOMMU unit%s, %s", n, n == 1 ? "" : "s",
                          through ? "passed through" : "translating (no iommu=pt)");
}

AISP_ITEM(iommu) = {
    .id = "hardware.iommu",
    .title = "The IOMMU does not translate the host's own transfers",
    .why = "Every transfer of a card is looked up in the IOMMU's tables; misses stall it, and transfers between peers "
           "take the way through the root complex or fail.",
    .how = "/sys/class/iommu, iommu=pt in /proc/cmdline, type of iommu_groups/0",
    .fix = "# kernel command line, then reboot: iommu=pt",
    .check = iommu,
};

static void access_control(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_devices gpus;
    char group[16];
    int alone = 0, grouped = 0;

    if (list_devices(root, found, AISP_PCI_DISPLAY, "GPU", &gpus)) {
        for (size_t i = 0; i < gpus.n; i++) {
            struct aisp_root_names members;

            if (!aisp_root_link(root, group, sizeof group, PCI "/%s/iommu_group", gpus.device[i].address))
                continue;
            grouped++;
            aisp_root_list(root, &members, "", "/sys/kernel/iommu_groups/%s/devices", group);
            alone += members.n == 1;
            aisp_names_release(&members);
        }
        if (gpus.n < 2)
            aisp_found_not_applicable(found, "one GPU has no peer");
        else if (!grouped)
            aisp_found_ok(found, "the GPUs are in no IOMMU groups");
        else   /* the kernel puts a device alone in a group only if every bridge above it isolates */
            aisp_found_judged(found, !alone, AISP_DIAGNOSIS_ATTENTION, "%d of %zu GPUs are isolated from their peers", alone,
                              gpus.n);
    }
    aisp_devices_release(&gpus);
}

AISP_ITEM(access_control) = {
    .id = "hardware.acs",
    .title = "Bridges let GPUs and network cards talk directly",
    .why = "With access control on, a PCIe switch sends traffic between two of its own devices up to the root complex "
           "and back: half the bandwidth, or none for direct RDMA.",
    .how = "GPUs that are alone in their IOMMU group",
    .fix = "lspci -vvv | grep ACSCtl   # SrcValid+ on bridges: ACS is on\n"
           "setpci -s BRIDGE ECAP_ACS+6.w=0000",
    .check = access_control,
};
