/* reproducibility.c - would the same work give the same figure again? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/item.h"

static void idle_machine(const struct aisp_root *root, struct aisp_found *found)
{
    char line[64];
    const int cpus = aisp_root_count_cpus(root);
    double load;

    if (!aisp_need_line(root, found, "/proc/loadavg", line, sizeof line))
        return;
    if (cpus < 1) {
        aisp_found_unreadable(found, "/sys/devices/system/cpu/online");
        return;
    }
    load = strtod(line, NULL);
    /* 0.1 a CPU: what an idle system shows with its daemons; from a half on the second runner is always in the way. */
    aisp_found_judged(found, load < 0.1 * cpus + 0.5, load < 0.5 * cpus ? AISP_DIAGNOSIS_ATTENTION : AISP_DIAGNOSIS_PROBLEM,
                      "load %.2f on %d CPUs", load, cpus);
}

AISP_ITEM(idle_machine) = {
    .id = "reproducibility.idle-machine",
    .title = "Nobody else works on this machine",
    .why = "Another process takes CPU time, cache, memory bandwidth and thermal room; only the first is visible in the "
           "process's own counters.",
    .how = "/proc/loadavg against the CPUs that are online",
    .fix = "ps -eo pcpu,pid,user,comm --sort=-pcpu | head",
    .check = idle_machine,
};

/* Share of the last ten seconds in which some task waited, in percent. */
static void pressure(const struct aisp_root *root, struct aisp_found *found, const char *what, double calm)
{
    char *text = aisp_root_text(root, "/proc/pressure/%s", what), *at = text ? strstr(text, "avg10=") : NULL;
    double percent;

    if (at) {
        percent = strtod(at + strlen("avg10="), NULL);
        aisp_found_judged(found, percent <= calm, percent <= 10 * calm ? AISP_DIAGNOSIS_ATTENTION : AISP_DIAGNOSIS_PROBLEM,
                          "some task waited in %.2f %% of the last 10 s", percent);
    } else {
        aisp_found_unreadable(found, "/proc/pressure/%s", what);
    }
    free(text);
}

static void pressure_cpu(const struct aisp_root *root, struct aisp_found *found)
{
    pressure(root, found, "cpu", 2);   /* 2 %: daemons that meet by chance on one CPU */
}

AISP_ITEM(pressure_cpu) = {
    .id = "reproducibility.pressure-cpu",
    .title = "No task waits for a CPU",
    .why = "Load counts who runs; pressure counts who wanted to and could not, which is what a measured thread would "
           "suffer.",
    .how = "/proc/pressure/cpu",
    .fix = "systemd-cgtop --order=cpu",
    .check = pressure_cpu,
};

static void pressure_memory(const struct aisp_root *root, struct aisp_found *found)
{
    pressure(root, found, "memory", 0.1);   /* waiting for memory is never normal; 0.1 % is 10 ms of the last 10 s */
}

AISP_ITEM(pressure_memory) = {
    .id = "reproducibility.pressure-memory",
    .title = "No task waits for memory to be freed",
    .why = "Reclaim runs inside the allocation that needed the page, so it lands in the window of whoever allocates.",
    .how = "/proc/pressure/memory",
    .fix = "ps -eo rss,pid,comm --sort=-rss | head",
    .check = pressure_memory,
};

static void pressure_io(const struct aisp_root *root, struct aisp_found *found)
{
    pressure(root, found, "io", 1);   /* 1 %: a journal that is flushed every few seconds */
}

AISP_ITEM(pressure_io) = {
    .id = "reproducibility.pressure-io",
    .title = "No task waits for a disk",
    .why = "Cold starts, checkpoints and page faults of mapped files share the disk with whoever keeps it busy.",
    .how = "/proc/pressure/io",
    .fix = "iotop -o",
    .check = pressure_io,
};

static void aslr(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t mode;

    if (aisp_need_integer(root, found, "/proc/sys/kernel/randomize_va_space", &mode))
        aisp_found_judged(found, mode == 2, AISP_DIAGNOSIS_ATTENTION, "kernel.randomize_va_space = %lld", (long long)mode);
}

AISP_ITEM(aslr) = {
    .id = "reproducibility.aslr",
    .title = "Addresses differ from process to process",
    .why = "With randomisation off every run has the same layout: one lucky or unlucky alignment is measured a hundred "
           "times and its interval is narrow around the wrong value.",
    .how = "/proc/sys/kernel/randomize_va_space",
    .fix = "sysctl -w kernel.randomize_va_space=2",
    .check = aslr,
};

static void preload(const struct aisp_root *root, struct aisp_found *found)
{
    aisp_check_unset(root, found, "LD_PRELOAD|LD_AUDIT", NULL, AISP_DIAGNOSIS_PROBLEM);
}

AISP_ITEM(preload) = {
    .id = "reproducibility.preload",
    .title = "No library is slipped into every process",
    .why = "A preloaded library can replace malloc, clocks and library calls; whoever runs it again without that line "
           "measures another program.",
    .how = "LD_PRELOAD and LD_AUDIT",
    .fix = "unset LD_PRELOAD LD_AUDIT",
    .check = preload,
};

static void injection(const struct aisp_root *root, struct aisp_found *found)
{
    aisp_check_unset(root, found,
                     "CUDA_INJECTION64_PATH|NVTX_INJECTION64_PATH|NV_COMPUTE_PROFILER_PERFWORKS_DIR|KINETO_USE_DAEMON|"
                     "ROCP_TOOL_LIB|HSA_TOOLS_LIB",
                     NULL, AISP_DIAGNOSIS_PROBLEM);
}

AISP_ITEM(injection) = {
    .id = "reproducibility.profiler-injected",
    .title = "No profiler was left attached",
    .why = "A tool that hooks the driver serialises launches or times every kernel: short kernels become several times "
           "slower, and streams lose their overlap.",
    .how = "CUDA_INJECTION64_PATH, NVTX_INJECTION64_PATH and the like",
    .fix = "unset CUDA_INJECTION64_PATH NVTX_INJECTION64_PATH",
    .check = injection,
};

static void threads(const struct aisp_root *root, struct aisp_found *found)
{
    const char *n;

    if (!aisp_need_environment(root, found))
        return;
    n = aisp_root_variable(root, "OMP_NUM_THREADS");
    aisp_found_judged(found, n && *n, AISP_DIAGNOSIS_ATTENTION, "OMP_NUM_THREADS %s%s", n ? "= " : "is not set", n ? n : "");
}

AISP_ITEM(threads) = {
    .id = "reproducibility.thread-count",
    .title = "The number of threads was chosen, not guessed",
    .why = "Each library counts CPUs in its own way, some of the machine and some of the cpuset; eight ranks that each "
           "start a thread for every CPU slow each other down.",
    .how = "OMP_NUM_THREADS",
    .fix = "export OMP_NUM_THREADS=CORES_PER_PROCESS",
    .check = threads,
};

static void binding(const struct aisp_root *root, struct aisp_found *found)
{
    static const char *const names[] = { "OMP_PROC_BIND", "OMP_PLACES", "KMP_AFFINITY", "GOMP_CPU_AFFINITY" };
    char text[160] = "";
    size_t used = 0;

    if (!aisp_need_environment(root, found))
        return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = aisp_root_variable(root, names[i]);

        if (value && *value && strcmp(value, "false") && used < sizeof text - 64)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s=%.32s", used ? " " : "", names[i], value);
    }
    aisp_found_judged(found, used > 0, AISP_DIAGNOSIS_ATTENTION, "%s", used ? text : "threads are free to move");
}

AISP_ITEM(binding) = {
    .id = "reproducibility.thread-binding",
    .title = "Threads stay where they began",
    .why = "A thread that moves leaves its warm cache, and its memory on the old NUMA node; where threads land differs "
           "from run to run and is the largest noise of parallel code.",
    .how = "OMP_PROC_BIND, OMP_PLACES, KMP_AFFINITY, GOMP_CPU_AFFINITY",
    .fix = "export OMP_PROC_BIND=close OMP_PLACES=cores",
    .check = binding,
};

static void hash_seed(const struct aisp_root *root, struct aisp_found *found)
{
    const char *seed;

    if (!aisp_need_environment(root, found))
        return;
    seed = aisp_root_variable(root, "PYTHONHASHSEED");
    aisp_found_judged(found, seed && *seed && strcmp(seed, "random"), AISP_DIAGNOSIS_ATTENTION, "PYTHONHASHSEED %s%s",
                      seed ? "= " : "is not set", seed ? seed : "");
}

AISP_ITEM(hash_seed) = {
    .id = "reproducibility.hash-seed",
    .title = "Python's sets have the same order in every run",
    .why = "Text hashes are salted for each process, so whatever iterates over a set visits files, parameters or buckets "
           "in another order each time.",
    .how = "PYTHONHASHSEED",
    .fix = "export PYTHONHASHSEED=0",
    .check = hash_seed,
};

static void cublas_workspace(const struct aisp_root *root, struct aisp_found *found)
{
    const char *value;

    if (!aisp_need_nvidia(root, found) || !aisp_need_environment(root, found))
        return;
    value = aisp_root_variable(root, "CUBLAS_WORKSPACE_CONFIG");
    aisp_found_judged(found, value && *value, AISP_DIAGNOSIS_ATTENTION, "CUBLAS_WORKSPACE_CONFIG %s%s",
                      value ? "= " : "is not set", value ? value : "");
}

AISP_ITEM(cublas_workspace) = {
    .id = "reproducibility.cublas-workspace",
    .title = "Matrix products are the same bit for bit",
    .why = "cuBLAS may pick another algorithm when several streams compete for its workspace; sums are then added in "
           "another order.",
    .how = "CUBLAS_WORKSPACE_CONFIG",
    .fix = "export CUBLAS_WORKSPACE_CONFIG=:4096:8",
    .check = cublas_workspace,
};

static void precision_override(const struct aisp_root *root, struct aisp_found *found)
{
    aisp_check_unset(root, found,
                     "NVIDIA_TF32_OVERRIDE|TORCH_ALLOW_TF32_CUBLAS_OVERRIDE|CUBLAS_EMULATION_STRATEGY|"
                     "ONEDNN_DEFAULT_FPMATH_MODE",
                     NULL, AISP_DIAGNOSIS_ATTENTION);
}

AISP_ITEM(precision_override) = {
    .id = "reproducibility.precision-override",
    .title = "Precision is chosen in the program alone",
    .why = "These variables let a library compute f32 products in TF32 or bf16: one side of a comparison is then faster "
           "because it is less exact.",
    .how = "NVIDIA_TF32_OVERRIDE, ONEDNN_DEFAULT_FPMATH_MODE and the like",
    .fix = "unset NVIDIA_TF32_OVERRIDE ONEDNN_DEFAULT_FPMATH_MODE",
    .check = precision_override,
};

static void decimal_comma(const struct aisp_root *root, struct aisp_found *found)
{
    /* Languages whose common locales write 1,5. */
    static const char *const comma[] = { "de_", "fr_", "es_", "it_", "nl_", "pt_", "pl_", "ru_", "sv_", "da_", "fi_", "nb_",
                                         "cs_", "tr_", "uk_", "el_", "hu_", "ro_" };
    static const char *const names[] = { "LC_ALL", "LC_NUMERIC", "LANG" };   /* the first that is set counts */
    const char *value = NULL;
    bool has_comma = false;

    if (!aisp_need_environment(root, found))
        return;
    for (size_t i = 0; i < 3 && !(value && *value); i++)
        value = aisp_root_variable(root, names[i]);
    for (size_t i = 0; value && i < sizeof comma / sizeof *comma; i++)
        has_comma |= !strncmp(value, comma[i], 3);
    aisp_found_judged(found, !has_comma, AISP_DIAGNOSIS_ATTENTION, "numbers as in %.60s", value && *value ? value : "C");
}

AISP_ITEM(decimal_comma) = {
    .id = "reproducibility.locale",
    .title = "Tools write numbers with a point",
    .why = "perf, awk and many scripts follow the locale; '1,5' is read as 1 or as two columns further down.",
    .how = "LC_ALL, LC_NUMERIC, LANG",
    .fix = "export LC_ALL=C.UTF-8",
    .check = decimal_comma,
};

static void time_sync(const struct aisp_root *root, struct aisp_found *found)
{
    static const char *const daemons[] = { "chronyd", "ntpd", "systemd-timesyn", "ptp4l", "phc2sys", "openntpd" };
    int seen = -1;

    for (size_t i = 0; i < sizeof daemons / sizeof *daemons && seen < 1; i++) {
        seen = aisp_root_has_process(root, daemons[i]);
        if (seen > 0)
            aisp_found_ok(found, "%s is running", daemons[i]);
    }
    if (seen == 0)
        aisp_found_judged(found, aisp_root_exists(root, "/run/systemd/timesync/synchronized"), AISP_DIAGNOSIS_ATTENTION, "%s",
                          aisp_root_exists(root, "/run/systemd/timesync/synchronized")
                              ? "synchronised by systemd"
                              : "no daemon that sets the clock is among the processes seen");
    if (seen < 0)
        aisp_found_unreadable(found, "/proc/*/comm");
}

AISP_ITEM(time_sync) = {
    .id = "reproducibility.time-sync",
    .title = "The wall clock is kept by a daemon",
    .why = "Runs of several machines are ordered by their wall clocks, and traces of ranks are laid over each other by "
           "them; a clock that drifts puts effect before cause.",
    .how = "chronyd, ntpd, timesyncd or ptp4l among the processes",
    .fix = "apt-get install chrony",
    .check = time_sync,
};

static void updates(const struct aisp_root *root, struct aisp_found *found)
{
    char *text = aisp_root_text(root, "/etc/apt/apt.conf.d/20auto-upgrades");

    if (text)
        aisp_found_judged(found, !strstr(text, "Unattended-Upgrade \"1\""), AISP_DIAGNOSIS_ATTENTION, "20auto-upgrades says %s",
                          strstr(text, "Unattended-Upgrade \"1\"") ? "yes" : "no");
    else if (aisp_root_exists(root, "/etc"))
        aisp_found_ok(found, "there is no 20auto-upgrades");
    else
        aisp_found_unreadable(found, "/etc/apt/apt.conf.d");
    free(text);
}

AISP_ITEM(updates) = {
    .id = "reproducibility.auto-upgrades",
    .title = "Drivers and libraries change when somebody decides it",
    .why = "An automatic upgrade can replace libcuda under a loaded kernel module, after which nothing on the GPU "
           "starts; and it moves a regression into a night when nobody changed anything.",
    .how = "/etc/apt/apt.conf.d/20auto-upgrades",
    .fix = "apt-mark hold 'nvidia-*' 'libnvidia-*' 'linux-image-*'",
    .check = updates,
};

/* ---- questions ---- */

AISP_ITEM(raw_samples) = {
    .id = "reproducibility.raw-samples",
    .title = "All samples are kept, not only their mean",
    .why = "Outliers, drift and two modes can be seen in samples alone, and a better statistic can be computed later.",
    .how = "Is every published figure backed by samples in the store?",
    .fix = "aisp bench run ...   # keeps all of them",
};

AISP_ITEM(interleave) = {
    .id = "reproducibility.interleaved",
    .title = "What is compared is measured in turns",
    .why = "Temperature and neighbours change over minutes; if one variant is measured before the other, the change is "
           "taken for a difference between them.",
    .how = "Do baseline and candidate alternate in the same session?",
    .fix = "aisp bench compare BASELINE CANDIDATE",
};

AISP_ITEM(versions) = {
    .id = "reproducibility.versions-pinned",
    .title = "Every library is pinned to an exact version",
    .why = "A minor release of a BLAS, a compiler or a framework can change kernels by tens of percent.",
    .how = "Does a lock file or an image digest name all of them?",
    .fix = "pip freeze --all > requirements.lock   # images by @sha256",
};

AISP_ITEM(data_version) = {
    .id = "reproducibility.data-version",
    .title = "The data set has a version and a hash",
    .why = "Lengths and order of samples decide padding, batching and cache hits; the same name with other contents is "
           "another workload.",
    .how = "Is the hash of the data in the record of the run?",
    .fix = "sha256sum data/* > data.sha256",
};

AISP_ITEM(seeds) = {
    .id = "reproducibility.seeds",
    .title = "Every source of chance has a recorded seed",
    .why = "Initial weights, shuffling, dropout and sampling each have a generator, one for each rank and loader.",
    .how = "Can a run be repeated from its record, loaders included?",
    .fix = "# record seed, rank and generator state in each checkpoint",
};

AISP_ITEM(repeats) = {
    .id = "reproducibility.repeats",
    .title = "A claim rests on several processes, not on many loops of one",
    .why = "Layout, page placement and clock differ from process to process; a thousand loops inside one see a single "
           "draw of each.",
    .how = "Of how many independent processes is the figure?",
    .fix = "aisp bench run ...   # a fresh pair of processes for each sample",
};

AISP_ITEM(clean_tree) = {
    .id = "reproducibility.clean-tree",
    .title = "The measured commit can be checked out again",
    .why = "A figure of a tree with local changes belongs to no commit; nobody, its author included, can find out what "
           "it was.",
    .how = "Was git status clean, and is the commit in the record?",
    .fix = "git status --short && git stash list",
};

AISP_ITEM(fresh_inputs) = {
    .id = "reproducibility.fresh-inputs",
    .title = "Each timed call gets inputs that it has not seen",
    .why = "With the same input again, caches, branch predictors and memoised results answer instead of the code.",
    .how = "Does the benchmark change contents between timed calls?",
    .fix = "aisp bench run ...   # fills every call's inputs anew",
};

AISP_ITEM(equal_precision) = {
    .id = "reproducibility.equal-precision",
    .title = "Both sides compute in the same precision to the same error",
    .why = "Half the bits is half the traffic and a multiple of the rate: a change of type is a trade, not an "
           "optimisation, and has to be shown as one.",
    .how = "Do dtype, accumulator and tolerance agree?",
    .fix = "aisp bench verify -t TARGET",
};
