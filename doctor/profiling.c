/* profiling.c - profiling: what this user may see of the machine, and questions about how profiles are read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/item.h"
#include "doctor/nvidia.h"

/* Effective capabilities of this process; false: unreadable. */
static bool read_capabilities(const struct aisp_root *root, uint64_t *bits)
{
    char *text = aisp_root_text(root, "/proc/self/status"), word[32];
    const bool good = aisp_text_field(text, "CapEff", word, sizeof word);

    *bits = good ? strtoull(word, NULL, 16) : 0;
    free(text);
    return good;
}

/* Numbers of capabilities(7). */
enum { CAP_SYS_PTRACE = 19, CAP_SYS_ADMIN = 21, CAP_PERFMON = 38, CAP_BPF = 39 };

static bool has_capability(const struct aisp_root *root, int capability)
{
    uint64_t bits;

    return read_capabilities(root, &bits) && (bits >> capability & 1 || bits >> CAP_SYS_ADMIN & 1);
}

static void paranoid(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t level;
    const bool may = has_capability(root, CAP_PERFMON);

    if (!aisp_need_integer(root, found, "/proc/sys/kernel/perf_event_paranoid", &level))
        return;
    /* 1: own processes with the kernel's part; 2: without it; above: nothing at all */
    aisp_found_judged(found, level <= 1 || may, level > 2 ? AISP_DIAGNOSIS_PROBLEM : AISP_DIAGNOSIS_ATTENTION,
                      "kernel.perf_event_paranoid = %lld%s", (long long)level, may ? ", and CAP_PERFMON" : "");
}

AISP_ITEM(paranoid) = {
    .id = "profiling.perf-paranoid",
    .title = "perf may count in user space and in the kernel",
    .why = "At 2 the time in system calls is invisible, at 3 and above perf refuses everything.",
    .how = "kernel.perf_event_paranoid and CAP_PERFMON",
    .fix = "sysctl -w kernel.perf_event_paranoid=1",
    .check = paranoid,
};

static void kernel_names(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t level;

    if (aisp_need_integer(root, found, "/proc/sys/kernel/kptr_restrict", &level))
        aisp_found_judged(found, level == 0, AISP_DIAGNOSIS_ATTENTION, "kernel.kptr_restrict = %lld", (long long)level);
}

AISP_ITEM(kernel_names) = {
    .id = "profiling.kernel-names",
    .title = "Profiles can name functions of the kernel",
    .why = "With hidden addresses the kernel's share of a flame graph is one block without names.",
    .how = "kernel.kptr_restrict",
    .fix = "sysctl -w kernel.kptr_restrict=0",
    .check = kernel_names,
};

static void attach(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t scope;
    const bool may = has_capability(root, CAP_SYS_PTRACE);

    if (!aisp_root_integer(root, &scope, "/proc/sys/kernel/yama/ptrace_scope")) {
        if (aisp_root_exists(root, "/proc/sys/kernel") && !aisp_root_exists(root, "/proc/sys/kernel/yama"))
            aisp_found_ok(found, "Yama is not in this kernel");
        else
            aisp_found_unreadable(found, "/proc/sys/kernel/yama/ptrace_scope");
        return;
    }
    aisp_found_judged(found, scope == 0 || (may && scope < 3), AISP_DIAGNOSIS_ATTENTION, "kernel.yama.ptrace_scope = %lld%s",
                      (long long)scope, may ? ", and CAP_SYS_PTRACE" : "");
}

AISP_ITEM(attach) = {
    .id = "profiling.attach",
    .title = "Tools may attach to a running process",
    .why = "A rank that hangs can be looked at with gdb or py-spy only if tracing processes that are no children is "
           "allowed.",
    .how = "kernel.yama.ptrace_scope and CAP_SYS_PTRACE",
    .fix = "sysctl -w kernel.yama.ptrace_scope=0",
    .check = attach,
};

static void bpf(const struct aisp_root *root, struct aisp_found *found)
{
    uint64_t bits;

    if (!read_capabilities(root, &bits))
        aisp_found_unreadable(found, "CapEff of /proc/self/status");
    else
        aisp_found_judged(found, has_capability(root, CAP_BPF), AISP_DIAGNOSIS_ATTENTION, "%s",
                          has_capability(root, CAP_BPF) ? "CAP_BPF or CAP_SYS_ADMIN" : "neither CAP_BPF nor CAP_SYS_ADMIN");
}

AISP_ITEM(bpf) = {
    .id = "profiling.bpf",
    .title = "bpf programs may be loaded",
    .why = "Off-CPU time, disk latency by process and scheduler delays are best seen with bpftrace, which loads programs "
           "into the kernel.",
    .how = "CapEff in /proc/self/status",
    .fix = "docker run --cap-add=BPF --cap-add=PERFMON ...",
    .check = bpf,
};

static void btf(const struct aisp_root *root, struct aisp_found *found)
{
    if (aisp_root_exists(root, "/sys/kernel/btf/vmlinux"))
        aisp_found_ok(found, "/sys/kernel/btf/vmlinux is there");
    else if (aisp_root_exists(root, "/sys/kernel"))
        aisp_found_attention(found, "/sys/kernel/btf/vmlinux is missing");
    else
        aisp_found_unreadable(found, "/sys/kernel");
}

AISP_ITEM(btf) = {
    .id = "profiling.btf",
    .title = "The kernel describes its own types",
    .why = "bpf tools that are built once for all kernels find structure fields by this description; without it each "
           "needs the headers of the kernel and a compiler.",
    .how = "/sys/kernel/btf/vmlinux",
    .fix = "# a kernel with CONFIG_DEBUG_INFO_BTF=y",
    .check = btf,
};

static void hardware_counters(const struct aisp_root *root, struct aisp_found *found)
{
    static const char *const units[] = { "cpu", "cpu_core", "armv8_pmuv3_0" };
    const char *unit = NULL;

    for (size_t i = 0; i < sizeof units / sizeof *units && !unit; i++)
        if (aisp_root_exists(root, "/sys/bus/event_source/devices/%s", units[i]))
            unit = units[i];
    if (!unit && !aisp_root_exists(root, "/sys/bus"))
        aisp_found_unreadable(found, "/sys/bus/event_source/devices");
    else
        aisp_found_judged(found, unit != NULL, AISP_DIAGNOSIS_ATTENTION, "%s", unit ? unit : "no CPU event source");
}

AISP_ITEM(hardware_counters) = {
    .id = "profiling.hardware-counters",
    .title = "The CPU's counters exist here",
    .why = "Many virtual machines hide them: cycles, cache misses and bandwidth are then not measured, and predictions "
           "in a variant's declaration are not tested.",
    .how = "/sys/bus/event_source/devices",
    .fix = "# a bare-metal instance, or a guest with a virtual PMU",
    .check = hardware_counters,
};

static void sample_rate(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t rate;

    /* 10000: perf's usual 4000 with room; the kernel lowers the default of 100000 when its handler was too slow */
    if (aisp_need_integer(root, found, "/proc/sys/kernel/perf_event_max_sample_rate", &rate))
        aisp_found_judged(found, rate >= 10000, AISP_DIAGNOSIS_ATTENTION, "at most %lld samples a second", (long long)rate);
}

AISP_ITEM(sample_rate) = {
    .id = "profiling.sample-rate",
    .title = "perf may sample as often as was asked",
    .why = "The kernel lowers the limit whenever taking a sample was slow, and never raises it again: later profiles "
           "silently have fewer samples.",
    .how = "kernel.perf_event_max_sample_rate",
    .fix = "sysctl -w kernel.perf_event_max_sample_rate=100000",
    .check = sample_rate,
};

static void gpu_counters(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t admin_only;
    const bool may = has_capability(root, CAP_SYS_ADMIN);

    if (!aisp_need_nvidia(root, found))
        return;
    if (!aisp_nvidia_setting(root, "RmProfilingAdminOnly", &admin_only))
        aisp_found_unreadable(found, "RmProfilingAdminOnly of /proc/driver/nvidia/params");
    else
        aisp_found_judged(found, !admin_only || may, AISP_DIAGNOSIS_ATTENTION, "RmProfilingAdminOnly = %lld%s",
                          (long long)admin_only, may ? ", and CAP_SYS_ADMIN" : "");
}

AISP_ITEM(gpu_counters) = {
    .id = "profiling.gpu-counters",
    .title = "GPU performance counters are open to this user",
    .why = "The driver gives them to administrators alone by default; Nsight Compute then ends with ERR_NVGPUCTRPERM.",
    .how = "RmProfilingAdminOnly in /proc/driver/nvidia/params",
    .fix = "echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' \\\n"
           "  > /etc/modprobe.d/nvidia-profiling.conf   # and reboot",
    .check = gpu_counters,
};

static void counters_taken(const struct aisp_root *root, struct aisp_found *found)
{
    int running;

    if (!aisp_need_nvidia(root, found))
        return;
    running = aisp_root_has_process(root, "nv-hostengine");
    if (running <= 0)
        running = aisp_root_has_process(root, "dcgm-exporter") > 0 ? 1 : running;
    if (running < 0)
        aisp_found_unreadable(found, "/proc/*/comm");
    else
        aisp_found_judged(found, !running, AISP_DIAGNOSIS_ATTENTION, "%s", running ? "DCGM is running"
                                                                                   : "no DCGM among the processes seen");
}

AISP_ITEM(counters_taken) = {
    .id = "profiling.counters-taken",
    .title = "No monitoring holds the GPU's counters",
    .why = "DCGM's profiling metrics lock the counter hardware: Nsight Compute fails or waits, and sampling disturbs "
           "what is timed.",
    .how = "nv-hostengine and dcgm-exporter among the processes",
    .fix = "dcgmi profile --pause   # afterwards --resume",
    .check = counters_taken,
};

static void nsight(const struct aisp_root *root, struct aisp_found *found)
{
    bool known, systems, compute;

    if (!aisp_need_nvidia(root, found))
        return;
    systems = aisp_root_has_program(root, "nsys", &known);
    compute = aisp_root_has_program(root, "ncu", &known);
    if (!known)
        aisp_found_unreadable(found, "PATH of the environment");
    else
        aisp_found_judged(found, systems && compute, AISP_DIAGNOSIS_ATTENTION, "nsys is %s, ncu is %s",
                          systems ? "there" : "missing", compute ? "there" : "missing");
}

AISP_ITEM(nsight) = {
    .id = "profiling.nsight",
    .title = "Nsight Systems and Nsight Compute can be started",
    .why = "The first shows where time goes between kernels, the second why a kernel takes it; without them the GPU is a "
           "clock.",
    .how = "nsys and ncu in PATH",
    .fix = "apt-get install nsight-systems nsight-compute\n"
           "export PATH=/usr/local/cuda/bin:$PATH",
    .check = nsight,
};

static void perf_program(const struct aisp_root *root, struct aisp_found *found)
{
    bool known;
    const bool has = aisp_root_has_program(root, "perf", &known);

    if (!known)
        aisp_found_unreadable(found, "PATH of the environment");
    else
        aisp_found_judged(found, has, AISP_DIAGNOSIS_ATTENTION, "perf is %s", has ? "there" : "missing");
}

AISP_ITEM(perf_program) = {
    .id = "profiling.perf",
    .title = "perf can be started",
    .why = "It shows what the host does while the GPU waits: launching, copying, decoding or sleeping.",
    .how = "perf in PATH",
    .fix = "apt-get install linux-perf",
    .check = perf_program,
};

static void tracefs(const struct aisp_root *root, struct aisp_found *found)
{
    if (aisp_root_exists(root, "/sys/kernel/tracing/available_tracers"))
        aisp_found_ok(found, "/sys/kernel/tracing can be read");
    else if (aisp_root_exists(root, "/sys/kernel"))
        aisp_found_attention(found, "/sys/kernel/tracing is not mounted, or not for this user");
    else
        aisp_found_unreadable(found, "/sys/kernel");
}

AISP_ITEM(tracefs) = {
    .id = "profiling.tracefs",
    .title = "The kernel's trace points can be reached",
    .why = "Scheduler switches, page faults and block requests by time come from there, for perf trace and bpftrace "
           "alike.",
    .how = "/sys/kernel/tracing/available_tracers",
    .fix = "mount -t tracefs nodev /sys/kernel/tracing",
    .check = tracefs,
};

static void lockdown(const struct aisp_root *root, struct aisp_found *found)
{
    char mode[32];

    if (!aisp_root_chosen(root, mode, sizeof mode, "/sys/kernel/security/lockdown")) {
        if (aisp_root_exists(root, "/sys/kernel"))
            aisp_found_not_applicable(found, "there is no lockdown, or it is not shown");
        else
            aisp_found_unreadable(found, "/sys/kernel/security/lockdown");
        return;
    }
    aisp_found_judged(found, !strcmp(mode, "none"), AISP_DIAGNOSIS_ATTENTION, "lockdown: %s", mode);
}

AISP_ITEM(lockdown) = {
    .id = "profiling.lockdown",
    .title = "The kernel is not locked down against its owner",
    .why = "Under secure boot it refuses model specific registers, some bpf and modules without a signature, the GPU "
           "driver's among them.",
    .how = "/sys/kernel/security/lockdown",
    .fix = "mokutil --sb-state   # enrol a key for modules, or turn it off",
    .check = lockdown,
};

static void registers(const struct aisp_root *root, struct aisp_found *found)
{
    if (aisp_root_exists(root, "/dev/cpu/0/msr"))
        aisp_found_ok(found, "/dev/cpu/0/msr is there");
    else if (aisp_root_exists(root, "/dev"))
        aisp_found_attention(found, "/dev/cpu/0/msr is missing");
    else
        aisp_found_unreadable(found, "/dev");
}

AISP_ITEM(registers) = {
    .id = "profiling.registers",
    .title = "Real clocks and temperatures can be read from the CPU",
    .why = "turbostat shows what each core really ran at; without the msr device only the requested frequency is known.",
    .how = "/dev/cpu/0/msr",
    .fix = "modprobe msr",
    .check = registers,
};

/* ---- questions ---- */

AISP_ITEM(representative) = {
    .id = "profiling.representative",
    .title = "The profiled step is one of many like it",
    .why = "First steps compile and allocate, steps with a checkpoint write; a profile of those explains nothing else.",
    .how = "Which step, and is its time near the median?",
    .fix = "nsys profile --capture-range=cudaProfilerApi ./program",
};

AISP_ITEM(timeline_first) = {
    .id = "profiling.timeline-first",
    .title = "The timeline was read before any kernel was opened",
    .why = "A kernel that is tuned to half its time gains nothing while the device waits for the host.",
    .how = "Share of time in which no kernel ran?",
    .fix = "nsys profile -t cuda,nvtx,osrt ./program",
};

AISP_ITEM(overhead) = {
    .id = "profiling.overhead",
    .title = "The profiler's own cost is known",
    .why = "Replaying kernels for counters flushes caches and fixes clocks; tracing each call adds microseconds.",
    .how = "Time with and without the profiler?",
    .fix = "# take times from runs without it, reasons from runs with it",
};

AISP_ITEM(ranges) = {
    .id = "profiling.ranges",
    .title = "Phases are named in the timeline",
    .why = "Ten thousand kernels with mangled names say nothing about which layer they belong to.",
    .how = "NVTX ranges for loading, forward, backward, optimiser?",
    .fix = "# nvtxRangePush / torch.cuda.nvtx.range",
};

AISP_ITEM(compared) = {
    .id = "profiling.compared",
    .title = "Baseline and candidate were profiled alike",
    .why = "A counter means something in comparison: sectors, stalls and cycles of both sides at the same input.",
    .how = "Same metric set, same size, same clocks?",
    .fix = "ncu --set full aisp-plain TARGET_FOLDER VARIANT   # of both alike",
};

AISP_ITEM(prediction) = {
    .id = "profiling.prediction",
    .title = "The gain was predicted from a counter before it was seen",
    .why = "A speedup whose cause is not known goes away as it came.",
    .how = "Which counter was to change by which factor, and did it?",
    .fix = "# AISP_DECLARE(\"expect: store sectors / 8\")",
};

AISP_ITEM(memory_history) = {
    .id = "profiling.memory-history",
    .title = "The peak of memory is explained",
    .why = "The peak is one moment; what lives then, and who made it, decides which batch fits.",
    .how = "Snapshot of the allocator at the peak?",
    .fix = "# torch.cuda.memory._record_memory_history()",
};

AISP_ITEM(host_side) = {
    .id = "profiling.host-side",
    .title = "The host's threads were looked at as well",
    .why = "Gaps on the device are usually a Python lock, a tokenizer or a loader.",
    .how = "Flame graph of the process that launches?",
    .fix = "perf record -g -p PID -- sleep 10; py-spy record -p PID",
};

AISP_ITEM(frame_pointers) = {
    .id = "profiling.frame-pointers",
    .title = "Stacks can be unwound",
    .why = "Without frame pointers or unwind tables a flame graph is a row of unconnected leaves.",
    .how = "Built with -fno-omit-frame-pointer, Python with perf support?",
    .fix = "cc -fno-omit-frame-pointer ...; python -X perf program.py",
};
