/* system_process.c - operating system: what control groups, limits and containers leave to this process. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "doctor/item.h"

#define GIB (1024.0 * 1024 * 1024)

static bool need_status(const struct aisp_root *root, struct aisp_found *found, const char *key, char *to, size_t size)
{
    char *text = aisp_root_text(root, "/proc/self/status");
    const bool good = aisp_text_field(text, key, to, size);

    if (!good)
        aisp_found_unreadable(found, "%s of /proc/self/status", key);
    free(text);
    return good;
}

/* ---- control groups ---- */

/* Neither version of control groups is mounted: there is no limit of theirs. */
static bool has_cgroups(const struct aisp_root *root, struct aisp_found *found)
{
    char *groups = aisp_root_text(root, "/proc/self/cgroup");
    const bool has = groups && strstr(groups, ":/");

    if (!groups || (*groups && !has))
        aisp_found_unreadable(found, "/proc/self/cgroup");
    else if (!has)
        aisp_found_not_applicable(found, "the process is in no control group");
    free(groups);
    return has;
}

static void affinity(const struct aisp_root *root, struct aisp_found *found)
{
    char allowed[256], online[256];
    int n;

    if (!need_status(root, found, "Cpus_allowed_list", allowed, sizeof allowed) ||
        !aisp_need_line(root, found, "/sys/devices/system/cpu/online", online, sizeof online))
        return;
    n = aisp_list_common(allowed, online);
    aisp_found_judged(found, n == aisp_list_count(online), AISP_DIAGNOSIS_ATTENTION, "may use %d of %d CPUs (%.60s)", n,
                      aisp_list_count(online), allowed);
}

AISP_ITEM(affinity) = {
    .id = "system.affinity",
    .title = "The process may run on every CPU",
    .why = "A library that counts the CPUs of the machine starts that many threads and lets them fight for the few that "
           "are allowed.",
    .how = "Cpus_allowed_list in /proc/self/status",
    .fix = "taskset -p -c 0-N PID   # or the container's --cpuset-cpus",
    .check = affinity,
};

/* CPUs of the tightest quota of the own group and those above; -1: no quota. A group without the file has none. False: found is
 * filled. */
static bool read_quota(const struct aisp_root *root, struct aisp_found *found, double *cpus)
{
    bool good = aisp_root_exists(root, "/sys/fs/cgroup");
    char *text, *period;

    *cpus = -1;
    if (!good)
        aisp_found_unreadable(found, "/sys/fs/cgroup");
    for (int up = 0; aisp_root_cgroup_above(root, "cpu", "cpu.cfs_quota_us", "cpu.max", up, &text); up++) {
        long long most = 0, length = 100000;

        aisp_root_cgroup_above(root, "cpu", "cpu.cfs_period_us", NULL, up, &period);
        if (text && strncmp(text, "max", 3) && sscanf(text, "%lld %lld", &most, &length) < 1 && good) {
            good = false;                                /* v2: "max 100000" or "50000 100000"; v1: -1 or a number */
            aisp_found_unreadable(found, "a quota in cpu.max or cpu.cfs_quota_us");
        }
        length = period ? strtoll(period, NULL, 10) : length;
        if (most > 0 && length > 0 && (*cpus < 0 || (double)most / (double)length < *cpus))
            *cpus = (double)most / (double)length;
        free(period);
        free(text);
    }
    return good;
}

static void quota(const struct aisp_root *root, struct aisp_found *found)
{
    const int online = aisp_root_count_cpus(root);
    double cpus;

    if (!has_cgroups(root, found) || !read_quota(root, found, &cpus))
        return;
    if (online < 0)
        aisp_found_unreadable(found, "/sys/devices/system/cpu/online");
    else if (cpus < 0)
        aisp_found_ok(found, "no quota");
    else
        aisp_found_judged(found, cpus >= online, AISP_DIAGNOSIS_PROBLEM, "quota of %.2f CPUs on a machine of %d", cpus, online);
}

AISP_ITEM(quota) = {
    .id = "system.cpu-quota",
    .title = "No CPU quota stops the process in the middle of its work",
    .why = "A quota is enforced by stopping all threads for the rest of each period: the median looks fine and every "
           "window that meets the limit is up to 100 ms longer. Whole CPUs (cpuset) give the same share without it.",
    .how = "cpu.max (v2) or cpu.cfs_quota_us (v1) of the own group and above",
    .fix = "docker run --cpuset-cpus=0-3 ...   # instead of --cpus=4",
    .check = quota,
};

static void throttled(const struct aisp_root *root, struct aisp_found *found)
{
    char *text = aisp_root_cgroup(root, "cpu", "cpu.stat", "cpu.stat");
    int64_t times = 0, periods = 0;

    if (!text) {
        if (has_cgroups(root, found))
            aisp_found_unreadable(found, "cpu.stat of the own group");
        return;
    }
    if (!aisp_text_integer(text, "nr_throttled", &times) || !aisp_text_integer(text, "nr_periods", &periods))
        aisp_found_not_applicable(found, "no quota is counted here");
    else
        aisp_found_judged(found, times == 0, AISP_DIAGNOSIS_PROBLEM, "stopped in %lld of %lld periods", (long long)times,
                          (long long)periods);
    free(text);
}

AISP_ITEM(throttled) = {
    .id = "system.cpu-throttled",
    .title = "The quota has not stopped this group yet",
    .why = "The counter is the proof that the quota was met: each count is a pause that some request or window paid.",
    .how = "nr_throttled in cpu.stat of the own group",
    .fix = "# raise the quota, or use as many threads as it has CPUs",
    .check = throttled,
};

static void weight(const struct aisp_root *root, struct aisp_found *found)
{
    char *v2 = aisp_root_cgroup(root, "cpu", NULL, "cpu.weight"), *v1 = aisp_root_cgroup(root, "cpu", "cpu.shares", NULL);
    const long long value = v2 ? strtoll(v2, NULL, 10) : v1 ? strtoll(v1, NULL, 10) : 0;
    const long long usual = v2 ? 100 : 1024;             /* the kernel's defaults of both versions */

    if (!v1 && !v2) {
        if (has_cgroups(root, found))
            aisp_found_not_applicable(found, "the own group has no CPU weight");
    } else {
        aisp_found_judged(found, value >= usual, AISP_DIAGNOSIS_ATTENTION, "%s = %lld, usual %lld",
                          v2 ? "cpu.weight" : "cpu.shares", value, usual);
    }
    free(v1);
    free(v2);
}

AISP_ITEM(weight) = {
    .id = "system.cpu-weight",
    .title = "The group's share of the CPUs is not below its neighbours'",
    .why = "Weights count only while others want the CPU too, so a low one shows as noise at busy hours and never on a "
           "quiet test machine. Container orchestrators derive it from the CPU request.",
    .how = "cpu.weight (v2) or cpu.shares (v1) of the own group",
    .fix = "# ask for whole CPUs in the container's resource request",
    .check = weight,
};

/* The number of a limit file; -1: no limit ("max", or v1's huge number), -2: neither. */
static int64_t limit_of(const char *text)
{
    char *end;
    const long long value = strtoll(text, &end, 10);

    if (end == text)
        return strncmp(text, "max", 3) ? -2 : -1;
    return value > INT64_MAX / 2 ? -1 : value;
}

/* The tightest limit of the own group and those above, and what that group uses: as limit_of. */
static void read_memory(const struct aisp_root *root, int64_t *limit, int64_t *used)
{
    char *most, *now;

    *limit = *used = -1;
    for (int up = 0; aisp_root_cgroup_above(root, "memory", "memory.limit_in_bytes", "memory.max", up, &most); up++) {
        const int64_t bytes = most ? limit_of(most) : -1;

        aisp_root_cgroup_above(root, "memory", "memory.usage_in_bytes", "memory.current", up, &now);
        if (*limit != -2 && bytes != -1 && (*limit < 0 || bytes < *limit)) {
            *limit = bytes;
            *used = now ? limit_of(now) : -1;
        }
        free(most);
        free(now);
    }
}

static void memory_limit(const struct aisp_root *root, struct aisp_found *found)
{
    const int64_t all = aisp_root_memory_bytes(root);
    int64_t limit, used;

    if (!has_cgroups(root, found))
        return;
    read_memory(root, &limit, &used);
    if (limit == -2 || !aisp_root_exists(root, "/sys/fs/cgroup"))
        aisp_found_unreadable(found, "%s", limit == -2 ? "a limit in memory.max or memory.limit_in_bytes" : "/sys/fs/cgroup");
    else if (limit < 0 || (all > 0 && limit >= all))
        aisp_found_ok(found, "no limit below the machine's memory");
    else if (used < 0)
        aisp_found_attention(found, "limit of %.1f GiB; what is used cannot be read", (double)limit / GIB);
    else   /* from 90 % on the group reclaims its own page cache in every allocation */
        aisp_found_judged(found, false, (double)used > 0.9 * (double)limit ? AISP_DIAGNOSIS_PROBLEM : AISP_DIAGNOSIS_ATTENTION,
                          "%.1f of %.1f GiB used, the machine has %.1f", (double)used / GIB, (double)limit / GIB,
                          (double)all / GIB);
}

AISP_ITEM(memory_limit) = {
    .id = "system.memory-limit",
    .title = "The group's memory limit leaves room for data and page cache",
    .why = "The page cache of files that the group reads counts against its limit, so a loader near the limit reads the "
           "same data from disk again and again; at the limit the kernel kills.",
    .how = "memory.max or memory.limit_in_bytes of the own group and above",
    .fix = "docker run --memory=... or the container's resource limit",
    .check = memory_limit,
};

static void oom_kills(const struct aisp_root *root, struct aisp_found *found)
{
    char *text = aisp_root_cgroup(root, "memory", "memory.oom_control", "memory.events");
    char *all = aisp_root_text(root, "/proc/vmstat");
    int64_t group = 0, machine = 0;
    const bool a = aisp_text_integer(text, "oom_kill", &group), b = aisp_text_integer(all, "oom_kill", &machine);

    free(text);
    free(all);
    if (!a && !b)
        aisp_found_unreadable(found, "oom_kill of memory.events and of /proc/vmstat");
    else
        aisp_found_judged(found, !group && !machine, group ? AISP_DIAGNOSIS_PROBLEM : AISP_DIAGNOSIS_ATTENTION,
                          "the kernel killed %lld processes of the group, %lld of the machine", (long long)group,
                          (long long)machine);
}

AISP_ITEM(oom_kills) = {
    .id = "system.oom-kills",
    .title = "Nobody was killed for memory since boot",
    .why = "A loader that is killed and restarted by its framework looks like a slow step; only the counter tells.",
    .how = "oom_kill in memory.events and /proc/vmstat",
    .fix = "dmesg | grep -i 'killed process'",
    .check = oom_kills,
};

static void pids_limit(const struct aisp_root *root, struct aisp_found *found)
{
    char *most = aisp_root_cgroup(root, "pids", "pids.max", "pids.max");
    const int64_t limit = most ? limit_of(most) : -1;

    free(most);
    if (!most) {
        if (has_cgroups(root, found))
            aisp_found_not_applicable(found, "the own group counts no processes");
    } else if (limit == -2) {
        aisp_found_unreadable(found, "a limit in pids.max");
    } else if (limit < 0) {
        aisp_found_ok(found, "no limit");
    } else {   /* 8 ranks x (64 loaders and library threads x 4) = 2048, and again as many to spare */
        aisp_found_judged(found, limit >= 4096, AISP_DIAGNOSIS_ATTENTION, "pids.max = %lld", (long long)limit);
    }
}

AISP_ITEM(pids_limit) = {
    .id = "system.pids-limit",
    .title = "The group may have enough threads",
    .why = "Every loader, every rank and every library pool is threads; at the limit pthread_create fails, and some "
           "libraries go on with fewer without a word.",
    .how = "pids.max of the own group",
    .fix = "docker run --pids-limit=-1 ...",
    .check = pids_limit,
};

/* ---- limits of the process ---- */

/* The soft limit; -1: unlimited. */
static bool need_limit(const struct aisp_root *root, struct aisp_found *found, const char *name, int64_t *value)
{
    char *text = aisp_root_text(root, "/proc/self/limits"), *line = text ? strstr(text, name) : NULL, word[32] = "";

    if (line)
        sscanf(line + strlen(name), "%31s", word);
    if (*word)
        *value = strcmp(word, "unlimited") ? strtoll(word, NULL, 10) : -1;
    else
        aisp_found_unreadable(found, "'%s' of /proc/self/limits", name);
    free(text);
    return *word != 0;
}

static void memlock(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names rdma;
    int64_t bytes;

    if (!need_limit(root, found, "Max locked memory", &bytes))
        return;
    aisp_root_list(root, &rdma, "", "/sys/class/infiniband");
    if (bytes < 0)
        aisp_found_ok(found, "unlimited");
    else   /* with RDMA every registered buffer is locked memory, so any limit is met sooner or later */
        aisp_found_judged(found, false, rdma.n ? AISP_DIAGNOSIS_PROBLEM : AISP_DIAGNOSIS_ATTENTION, "%lld KiB%s",
                          (long long)bytes / 1024, rdma.n ? ", and there are RDMA devices" : "");
    aisp_names_release(&rdma);
}

AISP_ITEM(memlock) = {
    .id = "system.memlock",
    .title = "Memory may be locked without limit",
    .why = "Registering a buffer for RDMA or io_uring locks it; at the limit registration fails, or the library falls "
           "back to copies through small bounce buffers.",
    .how = "Max locked memory in /proc/self/limits",
    .fix = "ulimit -l unlimited\n"
           "docker run --ulimit memlock=-1 ...",
    .check = memlock,
};

static void nofile(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t n;

    if (!need_limit(root, found, "Max open files", &n))
        return;
    /* 65536: a shard, a socket for each peer and channel, a memory file for each tensor that loaders share. 1024, the old
     * default, is met by 16 loaders. */
    aisp_found_judged(found, n < 0 || n >= 65536, n < 4096 ? AISP_DIAGNOSIS_PROBLEM : AISP_DIAGNOSIS_ATTENTION,
                      n < 0 ? "unlimited" : "%lld files", (long long)n);
}

AISP_ITEM(nofile) = {
    .id = "system.nofile",
    .title = "A process may open enough files",
    .why = "Loaders that share tensors, collectives with many peers and servers with many clients each need a descriptor "
           "for each; the failure comes after hours, at scale.",
    .how = "Max open files in /proc/self/limits",
    .fix = "ulimit -n 1048576\n"
           "docker run --ulimit nofile=1048576 ...",
    .check = nofile,
};

static void nproc(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t n;

    if (need_limit(root, found, "Max processes", &n))   /* as pids.max */
        aisp_found_judged(found, n < 0 || n >= 4096, AISP_DIAGNOSIS_ATTENTION, n < 0 ? "unlimited" : "%lld", (long long)n);
}

AISP_ITEM(nproc) = {
    .id = "system.nproc",
    .title = "The user may have enough threads",
    .why = "The limit counts all threads of the user on the machine, also those of other jobs.",
    .how = "Max processes in /proc/self/limits",
    .fix = "ulimit -u unlimited",
    .check = nproc,
};

static void stack(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t bytes;

    if (need_limit(root, found, "Max stack size", &bytes))
        aisp_found_judged(found, bytes >= 0, AISP_DIAGNOSIS_ATTENTION, bytes < 0 ? "unlimited" : "%lld KiB",
                          (long long)bytes / 1024);
}

AISP_ITEM(stack) = {
    .id = "system.stack",
    .title = "The stack has a limit",
    .why = "With an unlimited stack the kernel lays libraries out from below in the old way, and threads get stacks of 2 "
           "MiB: another layout than anybody else measures.",
    .how = "Max stack size in /proc/self/limits",
    .fix = "ulimit -s 8192",
    .check = stack,
};

static void core_dump(const struct aisp_root *root, struct aisp_found *found)
{
    char pattern[128];
    int64_t bytes;

    if (need_limit(root, found, "Max core file size", &bytes) &&
        aisp_need_line(root, found, "/proc/sys/kernel/core_pattern", pattern, sizeof pattern))
        aisp_found_judged(found, bytes == 0 || *pattern == '|', AISP_DIAGNOSIS_ATTENTION, "limit %s, pattern %.60s",
                          bytes < 0 ? "none" : bytes ? "above 0" : "0", pattern);
}

AISP_ITEM(core_dump) = {
    .id = "system.core-dump",
    .title = "A crash does not write all of memory into a file",
    .why = "A rank that dies with 200 GiB mapped spends minutes writing them, holds its GPU meanwhile, and fills the "
           "disk.",
    .how = "Max core file size and kernel.core_pattern",
    .fix = "ulimit -c 0",
    .check = core_dump,
};

static void shared_memory(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_mount mount;
    const char *size;
    double bytes;
    char *end;

    if (!aisp_root_mount(root, "/dev/shm", &mount)) {
        aisp_found_unreadable(found, "/proc/mounts");
        return;
    }
    size = strstr(mount.options, "size=");
    if (strcmp(mount.at, "/dev/shm"))
        aisp_found_problem(found, "/dev/shm is not mounted");
    else if (!size)
        aisp_found_ok(found, "half of memory");
    else {
        bytes = strtod(size + 5, &end);
        bytes *= *end == 'k' ? 1024 : *end == 'm' ? 1024 * 1024 : *end == 'g' ? GIB : 1;
        /* 1 GiB: 16 loaders x 2 batches ahead x 32 MiB; the container default is 64 MiB */
        aisp_found_judged(found, bytes >= GIB, AISP_DIAGNOSIS_PROBLEM, "%.2f GiB", bytes / GIB);
    }
}

AISP_ITEM(shared_memory) = {
    .id = "system.shared-memory",
    .title = "/dev/shm holds the batches that loaders hand over",
    .why = "Loaders and collectives on one host pass data through /dev/shm; containers get 64 MiB of it, and a full one "
           "ends in a bus error, not in a message.",
    .how = "size= of /dev/shm in /proc/mounts",
    .fix = "docker run --ipc=host ...   # or --shm-size=16g",
    .check = shared_memory,
};

static void nice_value(const struct aisp_root *root, struct aisp_found *found)
{
    char *text = aisp_root_text(root, "/proc/self/stat"), *at = text ? strrchr(text, ')') : NULL;
    long long nice = 0;

    /* Behind the name: state, then 15 numbers before nice (proc(5), fields 4 to 18). */
    if (!at || sscanf(at + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %lld", &nice) != 1)
        aisp_found_unreadable(found, "/proc/self/stat");
    else
        aisp_found_judged(found, nice <= 0, AISP_DIAGNOSIS_ATTENTION, "nice %lld", nice);
    free(text);
}

AISP_ITEM(nice_value) = {
    .id = "system.nice",
    .title = "The process is not at a lowered priority",
    .why = "Under nice 10 a process gets a tenth of a CPU that another wants too; schedulers and shells lower it for "
           "background jobs.",
    .how = "nice in /proc/self/stat",
    .fix = "renice 0 -p PID",
    .check = nice_value,
};

static void seccomp(const struct aisp_root *root, struct aisp_found *found)
{
    char mode[16];

    if (need_status(root, found, "Seccomp", mode, sizeof mode))
        aisp_found_judged(found, *mode == '0', AISP_DIAGNOSIS_ATTENTION, "%s", *mode == '0' ? "no filter"
                                                                                            : "a filter sees every call");
}

AISP_ITEM(seccomp) = {
    .id = "system.seccomp",
    .title = "No filter looks at every system call",
    .why = "A container's filter adds tens of nanoseconds to each call, and refuses some that placement and profiling "
           "need (mbind, perf_event_open, io_uring).",
    .how = "Seccomp in /proc/self/status",
    .fix = "docker run --security-opt seccomp=unconfined ...",
    .check = seccomp,
};

static void speculation(const struct aisp_root *root, struct aisp_found *found)
{
    char state[64];

    if (need_status(root, found, "Speculation_Store_Bypass", state, sizeof state))
        aisp_found_judged(found, !strstr(state, "mitigated"), AISP_DIAGNOSIS_ATTENTION, "store bypass: %s", state);
}

AISP_ITEM(speculation) = {
    .id = "system.store-bypass",
    .title = "Loads need not wait for all earlier stores",
    .why = "Older kernels switch speculative store bypass off in every process under a seccomp filter; code with many "
           "short stores and loads then loses 5 to 30 %, inside the container only.",
    .how = "Speculation_Store_Bypass in /proc/self/status",
    .fix = "# kernel command line: spec_store_bypass_disable=prctl",
    .check = speculation,
};

static void tracer(const struct aisp_root *root, struct aisp_found *found)
{
    char pid[16];

    if (need_status(root, found, "TracerPid", pid, sizeof pid))
        aisp_found_judged(found, !strcmp(pid, "0"), AISP_DIAGNOSIS_PROBLEM, "%s%s",
                          strcmp(pid, "0") ? "traced by process " : "not traced", strcmp(pid, "0") ? pid : "");
}

AISP_ITEM(tracer) = {
    .id = "system.tracer",
    .title = "No debugger or tracer is attached",
    .why = "strace and gdb stop the process at every call or signal that they watch: each costs tens of microseconds.",
    .how = "TracerPid in /proc/self/status",
    .fix = "ps -p TRACER_PID   # and end the tracer",
    .check = tracer,
};
