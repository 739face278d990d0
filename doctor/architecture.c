/* architecture.c - architecture-specific: what this processor and these GPUs want, by name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "doctor/item.h"
#include "doctor/nvidia.h"

#define CPUS "/sys/devices/system/cpu"

/* A line of /proc/cpuinfo; false: found is filled. */
static bool need_cpuinfo(const struct aisp_root *root, struct aisp_found *found, const char *key, char *to, size_t size)
{
    char *text = aisp_root_text(root, "/proc/cpuinfo");
    const bool good = aisp_text_field(text, key, to, size);

    if (text && !good && strstr(text, "CPU implementer"))
        aisp_found_not_applicable(found, "not an x86 processor");
    else if (!good)
        aisp_found_unreadable(found, "%s of /proc/cpuinfo", key);
    free(text);
    return good;
}

static void x86_level(const struct aisp_root *root, struct aisp_found *found)
{
    static const char *const wanted[] = { "avx2", "fma", "bmi1", "bmi2", "f16c", "abm", "movbe" };
    char flags[4096], missing[64] = "";
    size_t used = 0;

    if (!need_cpuinfo(root, found, "flags", flags, sizeof flags))
        return;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!aisp_text_has_word(flags, wanted[i]))
            used += (size_t)snprintf(missing + used, sizeof missing - used, " %s", wanted[i]);
    aisp_found_judged(found, !used, AISP_DIAGNOSIS_PROBLEM, used ? "missing:%s" : "all of x86-64-v3%s", missing);
}

AISP_ITEM(x86_level) = {
    .id = "architecture.x86-level",
    .title = "The CPU shows all instructions of x86-64-v3",
    .why = "Since 2013 nearly every server has AVX2 and FMA; a guest that was started with a generic CPU model hides "
           "them, and every library takes its slowest path.",
    .how = "flags of /proc/cpuinfo",
    .fix = "qemu-system-x86_64 -cpu host ...   # or the cloud's setting",
    .check = x86_level,
};

static void dot_products(const struct aisp_root *root, struct aisp_found *found)
{
    static const char *const wanted[] = { "amx_tile", "avx512_bf16", "avx512_vnni", "avx_vnni", "avx512_fp16" };
    char flags[4096], has[80] = "";
    size_t used = 0;

    if (!need_cpuinfo(root, found, "flags", flags, sizeof flags))
        return;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (aisp_text_has_word(flags, wanted[i]))
            used += (size_t)snprintf(has + used, sizeof has - used, "%s%s", used ? " " : "", wanted[i]);
    aisp_found_judged(found, used > 0, AISP_DIAGNOSIS_ATTENTION, "%s", used ? has : "no such instructions");
}

AISP_ITEM(dot_products) = {
    .id = "architecture.dot-products",
    .title = "The CPU multiplies bf16 or int8 in hardware",
    .why = "Without AMX, VNNI or AVX512_BF16 narrow types are widened first: on this CPU they save memory, not time.",
    .how = "amx_tile, avx512_bf16, avx512_vnni, avx_vnni in /proc/cpuinfo",
    .fix = "# compare f32 on this machine; a newer CPU for narrow types",
    .check = dot_products,
};

static void stable_tsc(const struct aisp_root *root, struct aisp_found *found)
{
    char flags[4096];
    bool constant, nonstop;

    if (!need_cpuinfo(root, found, "flags", flags, sizeof flags))
        return;
    constant = aisp_text_has_word(flags, "constant_tsc");
    nonstop = aisp_text_has_word(flags, "nonstop_tsc");
    aisp_found_judged(found, constant && nonstop, AISP_DIAGNOSIS_PROBLEM, "constant_tsc: %s, nonstop_tsc: %s",
                      constant ? "yes" : "no", nonstop ? "yes" : "no");
}

AISP_ITEM(stable_tsc) = {
    .id = "architecture.stable-tsc",
    .title = "The time stamp counter runs at one rate and never stops",
    .why = "Otherwise it follows the clock of the core or halts in idle states, and what was timed with it was not time.",
    .how = "constant_tsc and nonstop_tsc in /proc/cpuinfo",
    .fix = "# in a guest: pass the host's counter (invtsc) through",
    .check = stable_tsc,
};

static void gigabyte_pages(const struct aisp_root *root, struct aisp_found *found)
{
    char flags[4096];

    if (need_cpuinfo(root, found, "flags", flags, sizeof flags))
        aisp_found_judged(found, aisp_text_has_word(flags, "pdpe1gb"), AISP_DIAGNOSIS_ATTENTION, "pages of 1 GiB: %s",
                          aisp_text_has_word(flags, "pdpe1gb") ? "yes" : "no");
}

AISP_ITEM(gigabyte_pages) = {
    .id = "architecture.gigabyte-pages",
    .title = "The CPU has pages of 1 GiB",
    .why = "Tables of many GiB, such as embeddings, need a translation for each page; a guest without large ones walks "
           "longer tables at each miss, twice.",
    .how = "pdpe1gb in /proc/cpuinfo",
    .fix = "# in a guest: a CPU model with pdpe1gb",
    .check = gigabyte_pages,
};

/* How many different numbers or lists of CPUs a file has over the CPUs; 0: none has it. */
static int count_values(const struct aisp_root *root, const char *name)
{
    struct aisp_root_names cpus;
    char (*seen)[64] = NULL, word[64];
    size_t n = 0, cap = 0, k;

    aisp_root_list(root, &cpus, "cpu#", CPUS);
    for (size_t i = 0; i < cpus.n; i++) {
        if (!aisp_root_line(root, word, sizeof word, CPUS "/%s/%s", cpus.name[i], name) || aisp_list_count(word) < 1)
            continue;
        for (k = 0; k < n && strcmp(seen[k], word); k++)
            ;
        if (k == n)
            memcpy(aisp_grow(&seen, &n, &cap, sizeof *seen), word, sizeof word);
    }
    aisp_names_release(&cpus);
    free(seen);
    return (int)n;
}

static void nodes_per_socket(const struct aisp_root *root, struct aisp_found *found)
{
    const int nodes = aisp_root_count_nodes(root), sockets = count_values(root, "topology/physical_package_id");

    if (nodes < 0 || !sockets)
        aisp_found_unreadable(found, "nodes or topology/physical_package_id");
    else
        aisp_found_judged(found, nodes <= sockets, AISP_DIAGNOSIS_ATTENTION, "%d NUMA node%s on %d socket%s", nodes,
                          nodes == 1 ? "" : "s", sockets, sockets == 1 ? "" : "s");
}

AISP_ITEM(nodes_per_socket) = {
    .id = "architecture.nodes-per-socket",
    .title = "A socket is one NUMA node, or programs know that it is not",
    .why = "NPS4 and sub-NUMA clustering cut a socket into parts: bound processes gain some latency, one that spans the "
           "socket sees a quarter of the bandwidth near it.",
    .how = "nodes online against physical packages",
    .fix = "numactl --cpunodebind=0 --membind=0 ...   # for each rank",
    .check = nodes_per_socket,
};

static void cache_domains(const struct aisp_root *root, struct aisp_found *found)
{
    const int domains = count_values(root, "cache/index3/shared_cpu_list");
    const int sockets = count_values(root, "topology/physical_package_id");

    if (!sockets)
        aisp_found_unreadable(found, CPUS "/cpu*/topology/physical_package_id");
    else if (!domains)
        aisp_found_not_applicable(found, "there is no third cache level");
    else
        aisp_found_judged(found, domains <= sockets, AISP_DIAGNOSIS_ATTENTION, "%d last-level caches on %d socket%s", domains,
                          sockets, sockets == 1 ? "" : "s");
}

AISP_ITEM(cache_domains) = {
    .id = "architecture.cache-domains",
    .title = "All cores of a socket share one last-level cache",
    .why = "On chiplets each group of cores has its own: threads that share data across groups pay the way over the "
           "fabric, so a team should fill one group first.",
    .how = "cache/index3/shared_cpu_list of the CPUs against sockets",
    .fix = "export OMP_PLACES=ll_caches   # or taskset to one group",
    .check = cache_domains,
};

static void core_types(const struct aisp_root *root, struct aisp_found *found)
{
    const bool hybrid = aisp_root_exists(root, "/sys/devices/cpu_atom") && aisp_root_exists(root, "/sys/devices/cpu_core");
    char fast[64];

    if (!aisp_root_exists(root, CPUS "/cpu0")) {
        aisp_found_unreadable(found, CPUS);
        return;
    }
    aisp_root_line(root, fast, sizeof fast, "/sys/devices/cpu_core/cpus");
    aisp_found_judged(found, !hybrid, AISP_DIAGNOSIS_ATTENTION, "%s%s", hybrid ? "two kinds; the fast ones are " : "one kind",
                      hybrid ? fast : "");
}

AISP_ITEM(core_types) = {
    .id = "architecture.core-types",
    .title = "All cores are of one kind",
    .why = "On a hybrid CPU a parallel loop ends with its slowest core, and which kind a thread gets is decided anew "
           "each time.",
    .how = "/sys/devices/cpu_core and /sys/devices/cpu_atom",
    .fix = "taskset -c $(cat /sys/devices/cpu_core/cpus) ...",
    .check = core_types,
};

static void frequency_driver(const struct aisp_root *root, struct aisp_found *found)
{
    char driver[32], flags[4096];
    bool old;

    if (!aisp_root_line(root, driver, sizeof driver, CPUS "/cpu0/cpufreq/scaling_driver")) {
        if (aisp_root_exists(root, CPUS "/cpu0"))
            aisp_found_not_applicable(found, "the kernel does not set the frequency here (no cpufreq)");
        else
            aisp_found_unreadable(found, CPUS "/cpu0/cpufreq/scaling_driver");
        return;
    }
    if (!need_cpuinfo(root, found, "flags", flags, sizeof flags))
        return;
    old = !strcmp(driver, "acpi-cpufreq") && (aisp_text_has_word(flags, "cppc") || aisp_text_has_word(flags, "hwp"));
    aisp_found_judged(found, !old, AISP_DIAGNOSIS_ATTENTION, "%s%s", driver, old ? ", though the CPU can do better" : "");
}

AISP_ITEM(frequency_driver) = {
    .id = "architecture.frequency-driver",
    .title = "The frequency driver is the one made for this CPU",
    .why = "acpi-cpufreq knows three steps; amd_pstate and intel_pstate let the hardware choose among all, in "
           "microseconds.",
    .how = "scaling_driver, and cppc or hwp in /proc/cpuinfo",
    .fix = "# kernel command line: amd_pstate=active",
    .check = frequency_driver,
};

static void memory_encryption(const struct aisp_root *root, struct aisp_found *found)
{
    char value[32];
    bool known, on;

    on = aisp_root_boot_option(root, "mem_encrypt", value, sizeof value, &known) && strcmp(value, "off");
    if (!known)
        aisp_found_unreadable(found, "/proc/cmdline");
    else
        aisp_found_judged(found, !on, AISP_DIAGNOSIS_ATTENTION, "%s%s", on ? "mem_encrypt=" : "not asked for", on ? value : "");
}

AISP_ITEM(memory_encryption) = {
    .id = "architecture.memory-encryption",
    .title = "Host memory is encrypted only where that is wanted",
    .why = "Encryption adds a few nanoseconds to each miss, and transfers of devices then go through unencrypted bounce "
           "buffers.",
    .how = "mem_encrypt in /proc/cmdline",
    .fix = "# remove mem_encrypt=on from the kernel command line",
    .check = memory_encryption,
};

/* ---- GPUs ---- */

/* The first GPU's model; false: found is filled. */
static bool need_model(const struct aisp_root *root, struct aisp_found *found, char *name, size_t size)
{
    struct aisp_root_names gpus;
    bool good;

    if (!aisp_need_nvidia(root, found))
        return false;
    aisp_nvidia_list(root, &gpus);
    good = gpus.n && aisp_nvidia_information(root, gpus.name[0], "Model", name, size);
    aisp_names_release(&gpus);
    if (!good)
        aisp_found_unreadable(found, "Model of /proc/driver/nvidia/gpus/*/information");
    return good;
}

static void driver_knows(const struct aisp_root *root, struct aisp_found *found)
{
    const struct aisp_nvidia_model *model;
    char name[64], version[32];

    if (!need_model(root, found, name, sizeof name))
        return;
    model = aisp_nvidia_model_of(name);
    if (!model)
        aisp_found_not_applicable(found, "%s is not in our list", name);
    else if (!aisp_nvidia_version(root, version, sizeof version))
        aisp_found_unreadable(found, "/proc/driver/nvidia/version");
    else
        aisp_found_judged(found, atoi(version) >= model->driver, AISP_DIAGNOSIS_PROBLEM, "%s, driver %s, needs %d", name,
                          version, model->driver);
}

AISP_ITEM(driver_knows) = {
    .id = "architecture.driver-for-gpu",
    .title = "The driver's branch knows this GPU",
    .why = "Support for an architecture begins with a branch; an older one does not start the card, or only as an "
           "unknown one.",
    .how = "Model of the GPU and version of the driver",
    .fix = "apt-get install cuda-drivers-580   # and reboot",
    .check = driver_knows,
};

static void open_module(const struct aisp_root *root, struct aisp_found *found)
{
    const struct aisp_nvidia_model *model;
    char name[64];
    bool open;

    if (!need_model(root, found, name, sizeof name))
        return;
    model = aisp_nvidia_model_of(name);
    open = aisp_nvidia_is_open(root);
    if (model && model->driver < 410)                    /* before Turing there is no GSP that the open module needs */
        aisp_found_not_applicable(found, "%s has no open module", name);
    else
        aisp_found_judged(found, open, model && model->needs_open ? AISP_DIAGNOSIS_PROBLEM : AISP_DIAGNOSIS_ATTENTION,
                          "%s kernel module for %s", open ? "open" : "proprietary", name);
}

AISP_ITEM(open_module) = {
    .id = "architecture.open-module",
    .title = "The open kernel module drives the GPU",
    .why = "Blackwell and Grace Hopper work with it alone; on all since Turing it is the recommended one, and brings "
           "dma-buf for network cards.",
    .how = "/proc/driver/nvidia/version says Open Kernel Module",
    .fix = "apt-get install nvidia-open   # and reboot",
    .check = open_module,
};

/* "version" behind the key "cuda" of version.json, as 1208 for 12.8. */
static int toolkit_version(const struct aisp_root *root)
{
    char *text = aisp_root_text(root, "/usr/local/cuda/version.json"), *at = text ? strstr(text, "\"cuda\"") : NULL;
    int major = 0, minor = 0;

    at = at ? strstr(at, "\"version\"") : NULL;
    at = at ? strchr(at + 9, '"') : NULL;
    if (at)
        sscanf(at + 1, "%d.%d", &major, &minor);
    free(text);
    return major * 100 + minor;
}

static void toolkit_knows(const struct aisp_root *root, struct aisp_found *found)
{
    const struct aisp_nvidia_model *model;
    const int toolkit = toolkit_version(root);
    char name[64];

    if (!need_model(root, found, name, sizeof name))
        return;
    model = aisp_nvidia_model_of(name);
    if (!model)
        aisp_found_not_applicable(found, "%s is not in our list", name);
    else if (!toolkit)
        aisp_found_unreadable(found, "/usr/local/cuda/version.json");
    else
        aisp_found_judged(found, toolkit >= model->toolkit, AISP_DIAGNOSIS_PROBLEM, "%s, toolkit %d.%d, needs %d.%d", name,
                          toolkit / 100, toolkit % 100, model->toolkit / 100, model->toolkit % 100);
}

AISP_ITEM(toolkit_knows) = {
    .id = "architecture.toolkit-for-gpu",
    .title = "The compiler makes code for this GPU",
    .why = "An older nvcc makes code for older cards; the driver then translates PTX at start, and the new units stay "
           "unused.",
    .how = "/usr/local/cuda/version.json and the GPU's model",
    .fix = "apt-get install cuda-toolkit-13-0",
    .check = toolkit_knows,
};

static void fabric_manager(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names switches;
    int running;
    size_t n;

    if (!aisp_need_nvidia(root, found))
        return;
    aisp_root_list(root, &switches, "nvidia-nvswitch#", "/dev");
    n = switches.n;
    aisp_names_release(&switches);
    running = aisp_root_has_process(root, "nv-fabricmanager");
    if (!n)
        aisp_found_not_applicable(found, "there is no NVSwitch");
    else if (running < 0)
        aisp_found_unreadable(found, "/proc/*/comm");
    else
        aisp_found_judged(found, running > 0, AISP_DIAGNOSIS_PROBLEM, "%zu NVSwitches, nv-fabricmanager %s", n,
                          running ? "is running" : "is not among the processes seen");
}

AISP_ITEM(fabric_manager) = {
    .id = "architecture.fabric-manager",
    .title = "The NVSwitch fabric is managed",
    .why = "Until the fabric manager has set the switches up, CUDA does not start on these boards (system not yet "
           "initialized).",
    .how = "/dev/nvidia-nvswitch* and the process nv-fabricmanager",
    .fix = "systemctl enable --now nvidia-fabricmanager",
    .check = fabric_manager,
};

/* Collect the different values of a line of the GPUs' information; returns how many GPUs say it. */
static int collect(const struct aisp_root *root, const char *key, struct aisp_buf *values, int *n_values)
{
    struct aisp_root_names gpus;
    char word[64];
    int n = 0;

    *n_values = 0;
    aisp_nvidia_list(root, &gpus);
    for (size_t i = 0; i < gpus.n; i++)
        if (aisp_nvidia_information(root, gpus.name[i], key, word, sizeof word) && *word) {
            n++;
            if (!values->s || !strstr(values->s, word)) {
                aisp_buf_printf(values, "%s%s", values->len ? ", " : "", word);
                ++*n_values;
            }
        }
    aisp_names_release(&gpus);
    return n;
}

static void judge_same(const struct aisp_root *root, struct aisp_found *found, const char *key)
{
    struct aisp_buf values = AISP_BUF_INIT;
    int n, n_values;

    if (!aisp_need_nvidia(root, found))
        return;
    n = collect(root, key, &values, &n_values);
    if (!n)
        aisp_found_unreadable(found, "%s of /proc/driver/nvidia/gpus/*/information", key);
    else if (n == 1)
        aisp_found_not_applicable(found, "one GPU: %s", values.s);
    else
        aisp_found_judged(found, n_values == 1, AISP_DIAGNOSIS_ATTENTION, "%d GPUs: %.150s", n, values.s);
    aisp_buf_release(&values);
}

static void same_model(const struct aisp_root *root, struct aisp_found *found)
{
    judge_same(root, found, "Model");
}

AISP_ITEM(same_model) = {
    .id = "architecture.same-model",
    .title = "All GPUs are of one model",
    .why = "A program that was tuned on device 0 runs on all; a result depends on which card it got.",
    .how = "Model in /proc/driver/nvidia/gpus/*/information",
    .fix = "export CUDA_VISIBLE_DEVICES=UUIDS   # of one model",
    .check = same_model,
};

static void same_bios(const struct aisp_root *root, struct aisp_found *found)
{
    judge_same(root, found, "Video BIOS");
}

AISP_ITEM(same_bios) = {
    .id = "architecture.same-vbios",
    .title = "All GPUs have the same firmware image",
    .why = "Power limits, fan curves and memory timings are in the image; a replaced card with another one is the slow "
           "rank.",
    .how = "Video BIOS in /proc/driver/nvidia/gpus/*/information",
    .fix = "nvidia-smi --query-gpu=index,vbios_version --format=csv",
    .check = same_bios,
};

static void system_processor(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_buf values = AISP_BUF_INIT;
    int n, n_values;

    if (!aisp_need_nvidia(root, found))
        return;
    n = collect(root, "GPU Firmware", &values, &n_values);
    if (!n)
        aisp_found_unreadable(found, "GPU Firmware of /proc/driver/nvidia/gpus/*/information");
    else
        aisp_found_judged(found, !strstr(values.s, "N/A") && n_values == 1, AISP_DIAGNOSIS_ATTENTION, "GPU Firmware: %.100s",
                          values.s);
    aisp_buf_release(&values);
}

AISP_ITEM(system_processor) = {
    .id = "architecture.gsp",
    .title = "The GPU's own system processor runs its firmware",
    .why = "It takes work of the driver off the host's CPUs; with it off, as in some recipes against old bugs, launches "
           "and interrupts cost the host more.",
    .how = "GPU Firmware in /proc/driver/nvidia/gpus/*/information",
    .fix = "grep -r NVreg_EnableGpuFirmware /etc/modprobe.d",
    .check = system_processor,
};

/* ---- questions ---- */

AISP_ITEM(tma) = {
    .id = "architecture.tma",
    .title = "Hopper and later: tiles are moved by TMA",
    .why = "One thread starts the copy of a whole tile, bounds and swizzle included; address arithmetic of a hundred "
           "threads is saved.",
    .how = "Do the load loops of the large kernels use tensor maps?",
    .fix = "cuobjdump -sass ./program | grep -c UTMALDG",
};

AISP_ITEM(clusters) = {
    .id = "architecture.clusters",
    .title = "Hopper and later: blocks of a cluster share what they load",
    .why = "Multicast and distributed shared memory let one read from L2 serve several blocks.",
    .how = "Was a cluster size of 2 or 4 tried for kernels bound by L2?",
    .fix = "# __cluster_dims__(2, 1, 1) and multicast loads",
};

AISP_ITEM(warp_groups) = {
    .id = "architecture.warp-specialised",
    .title = "Hopper: products are issued by warp groups, loads by others",
    .why = "wgmma reads its operands from shared memory asynchronously; a producer warp keeps it fed without registers.",
    .how = "Does the library choose wgmma kernels (sm_90a)?",
    .fix = "cuobjdump -sass ./program | grep -c HGMMA",
};

AISP_ITEM(tensor_memory) = {
    .id = "architecture.tensor-memory",
    .title = "Blackwell: accumulators lie in tensor memory",
    .why = "tcgen05 keeps sums out of the register file and can pair two multiprocessors; kernels made for Hopper do "
           "neither.",
    .how = "Does the library have kernels for sm_100a, and does it choose them?",
    .fix = "nvcc -gencode arch=compute_100a,code=sm_100a ...",
};

AISP_ITEM(block_scales) = {
    .id = "architecture.block-scales",
    .title = "fp8 and fp4: scales are per block, and their bytes are counted",
    .why = "One scale for a tensor loses small values; a scale for 16 or 32 values costs 3 to 6 % of memory, and the "
           "hardware applies it for free on Blackwell.",
    .how = "Which block size, and which error against bf16?",
    .fix = "aisp utils kv-cache --dtype fp8 ...",
};

AISP_ITEM(dependent_launch) = {
    .id = "architecture.dependent-launch",
    .title = "Hopper and later: a kernel starts while the one before ends",
    .why = "Programmatic dependent launch hides the prologue and the launch latency of chains of short kernels.",
    .how = "Gaps of 1 to 3 us between dependent kernels?",
    .fix = "# cudaLaunchAttributeProgrammaticStreamSerialization",
};

AISP_ITEM(l2_residency) = {
    .id = "architecture.l2-residency",
    .title = "What is read again stays in L2, what is streamed does not",
    .why = "Tens of MiB of L2 hold weights or tables between kernels, if streams are read with an evict-first hint.",
    .how = "L2 hit rate of kernels that read the same weights?",
    .fix = "# cudaAccessPolicyWindow; ld.global.L2::evict_first",
};

AISP_ITEM(coherent_link) = {
    .id = "architecture.coherent-link",
    .title = "Grace: data lies on the side of the link that reads it most",
    .why = "NVLink-C2C lets the GPU read host memory at hundreds of GB/s, still a tenth of its own; counters decide when "
           "pages move.",
    .how = "Which buffers are placed on purpose, with numactl or hints?",
    .fix = "numactl --membind=0 ...   # host node; GPU memory is a node too",
};

AISP_ITEM(structured_sparsity) = {
    .id = "architecture.sparsity",
    .title = "Peaks with structured sparsity are not compared with dense work",
    .why = "Data sheets double the rate for matrices of which half is zero in a pattern; ordinary models do not have it.",
    .how = "Is the peak in every utilisation figure the dense one?",
    .fix = "aisp bench theoretical-peak",
};

AISP_ITEM(arm_hosts) = {
    .id = "architecture.arm-hosts",
    .title = "On Arm hosts the page size and the vector length are known",
    .why = "Kernels with pages of 64 KiB change the footprint of small mappings and huge pages of 512 MiB; SVE code must "
           "not assume a length.",
    .how = "getconf PAGESIZE, and libraries built for this CPU?",
    .fix = "getconf PAGESIZE; lscpu | grep -i sve",
};
