/* environment.c - read what the machine is and how busy it is from /proc and /sys below a root.
 * Not here: what makes an environment fit to publish from (checks/environment.c).
 * Why a root: the same code then runs on recorded machines, which is how its rarer branches are tested. */
#include "core/environment.h"

#include <ctype.h>
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/hash.h"

struct root {
    const char *path;
    char text[16384];   /* of the file read last */
};

/* The file's text, cut at the size of root->text; NULL if it cannot be read. */
static const char *slurp(struct root *root, const char *file)
{
    char path[512];
    FILE *f;
    size_t n;

    snprintf(path, sizeof path, "%s%s", strcmp(root->path, "/") ? root->path : "", file);
    f = fopen(path, "r");
    if (!f)
        return NULL;
    n = fread(root->text, 1, sizeof root->text - 1, f);
    fclose(f);
    root->text[n] = 0;
    return root->text;
}

static void copy_line(char *to, size_t size, const char *from)
{
    size_t n;

    if (!from)
        return;
    while (*from == ' ' || *from == '\t')
        from++;
    n = strcspn(from, "\n");
    if (n >= size)
        n = size - 1;
    memcpy(to, from, n);
    to[n] = 0;
}

static void read_line(struct root *root, const char *file, char *to, size_t size)
{
    copy_line(to, size, slurp(root, file));
}

static int64_t read_number(struct root *root, const char *file)
{
    const char *text = slurp(root, file);
    char *end;
    long long value;

    if (!text)
        return -1;
    value = strtoll(text, &end, 10);
    return end == text ? -1 : value;
}

/* "MemTotal:  123 kB" in a text of lines: the number behind the key, -1 if there is no such key. */
static int64_t field(const char *text, const char *key)
{
    const size_t n = strlen(key);

    for (const char *line = text; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL)
        if (!strncmp(line, key, n)) {
            const char *at = line + n;

            while (*at == ' ' || *at == '\t' || *at == ':')
                at++;
            return isdigit((unsigned char)*at) ? strtoll(at, NULL, 10) : -1;
        }
    return -1;
}

static const char *field_text(const char *text, const char *key)
{
    const char *at = text ? strstr(text, key) : NULL;

    at = at ? strchr(at, ':') : NULL;
    return at ? at + 1 : NULL;
}

/* "[madvise]" out of "always [madvise] never". */
static void read_choice(struct root *root, const char *file, char *to, size_t size)
{
    const char *text = slurp(root, file), *open = text ? strchr(text, '[') : NULL;
    const char *close = open ? strchr(open, ']') : NULL;

    if (close && (size_t)(close - open) < size)
        snprintf(to, size, "%.*s", (int)(close - open - 1), open + 1);
}

static bool has_flag(const char *flags, const char *flag)
{
    const size_t n = strlen(flag);

    for (const char *at = strstr(flags, flag); at; at = strstr(at + n, flag))
        if (at[-1] == ' ' && (at[n] == ' ' || at[n] == '\n' || !at[n]))
            return true;
    return false;
}

static void probe_cpu(struct aisp_environment *env, struct root *root)
{
    static const char *const isa[] = { "sse4_2", "avx2", "fma", "avx512f", "avx512_bf16", "avx512_vnni", "amx_tile" };
    const char *text = slurp(root, "/proc/cpuinfo"), *flags;
    char one_line[4096] = "";
    size_t used = 0;

    if (!text)
        return;
    copy_line(env->cpu_model, sizeof env->cpu_model, field_text(text, "model name"));
    copy_line(env->microcode, sizeof env->microcode, field_text(text, "microcode"));
    flags = field_text(text, "flags");
    if (!flags)
        return;
    snprintf(one_line, sizeof one_line, "%.*s", (int)strcspn(flags, "\n"), flags);
    env->virtual_machine = has_flag(one_line, "hypervisor");
    for (size_t i = 0; i < sizeof isa / sizeof *isa; i++)
        if (has_flag(one_line, isa[i]) && used < sizeof env->isa)
            used += (size_t)snprintf(env->isa + used, sizeof env->isa - used, "%s%s", used ? " " : "", isa[i]);
}

/* "512K" or "32M" */
static int64_t size_text(const char *text)
{
    char *end;
    int64_t value = text ? strtoll(text, &end, 10) : -1;

    if (value < 0)
        return -1;
    if (*end == 'K')
        return value << 10;
    return *end == 'M' ? value << 20 : value;
}

/* Some virtual machines have no folder for them, and the C library knows still what the core says of its own two. Of the third it
 * says what all cores have together, of which nobody knows this one's share. */
void aisp_environment_own_caches(int64_t *l1d_bytes, int64_t *l2_bytes)
{
    const long l1d = sysconf(_SC_LEVEL1_DCACHE_SIZE), l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);

    *l1d_bytes = l1d > 0 ? l1d : -1;
    *l2_bytes = l2 > 0 ? l2 : -1;
}

static void probe_caches(struct aisp_environment *env, struct root *root)
{
    for (int i = 0; i < 8; i++) {
        char file[96], type[16] = "";
        int64_t level, bytes;

        snprintf(file, sizeof file, "/sys/devices/system/cpu/cpu0/cache/index%d/level", i);
        level = read_number(root, file);
        if (level < 0 && i == 0 && !strcmp(root->path, "/"))
            aisp_environment_own_caches(&env->l1d_bytes, &env->l2_bytes);
        if (level < 0)
            return;
        snprintf(file, sizeof file, "/sys/devices/system/cpu/cpu0/cache/index%d/type", i);
        read_line(root, file, type, sizeof type);
        snprintf(file, sizeof file, "/sys/devices/system/cpu/cpu0/cache/index%d/size", i);
        bytes = size_text(slurp(root, file));
        if (level == 1 && !strcmp(type, "Data"))
            env->l1d_bytes = bytes;
        if (level == 2)
            env->l2_bytes = bytes;
        if (level == 3)
            env->l3_bytes = bytes;
    }
}

static int count_entries(struct root *root, const char *folder, const char *prefix)
{
    char path[512];
    DIR *dir;
    int n = 0;

    snprintf(path, sizeof path, "%s%s", strcmp(root->path, "/") ? root->path : "", folder);
    dir = opendir(path);
    if (!dir)
        return -1;
    for (struct dirent *e = readdir(dir); e; e = readdir(dir))
        n += !strncmp(e->d_name, prefix, strlen(prefix)) && isdigit((unsigned char)e->d_name[strlen(prefix)]);
    closedir(dir);
    return n;
}

static void probe_topology(struct aisp_environment *env, struct root *root)
{
    char siblings[64] = "";

    env->n_cpus = count_entries(root, "/sys/devices/system/cpu", "cpu");
    env->n_numa = count_entries(root, "/sys/devices/system/node", "node");
    read_line(root, "/sys/devices/system/cpu/cpu0/topology/thread_siblings_list", siblings, sizeof siblings);
    env->smt = *siblings ? (strpbrk(siblings, ",-") ? 2 : 1) : -1;
    read_line(root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", env->governor, sizeof env->governor);
    read_line(root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", env->driver, sizeof env->driver);
    env->cpu_khz = read_number(root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq");
    env->turbo = (int)read_number(root, "/sys/devices/system/cpu/cpufreq/boost");
    if (env->turbo < 0) {
        const int64_t no_turbo = read_number(root, "/sys/devices/system/cpu/intel_pstate/no_turbo");

        env->turbo = no_turbo < 0 ? -1 : !no_turbo;
    }
    read_line(root, "/sys/devices/system/clocksource/clocksource0/current_clocksource", env->clocksource,
              sizeof env->clocksource);
}

static void probe_memory(struct aisp_environment *env, struct root *root)
{
    const char *text = slurp(root, "/proc/meminfo");
    int64_t total, available, swap_total, swap_free;

    if (text) {
        total = field(text, "MemTotal"), available = field(text, "MemAvailable");
        swap_total = field(text, "SwapTotal"), swap_free = field(text, "SwapFree");
        env->memory_bytes = total < 0 ? -1 : total << 10;
        env->available_bytes = available < 0 ? -1 : available << 10;
        env->swap_used_bytes = swap_total < 0 || swap_free < 0 ? -1 : (swap_total - swap_free) << 10;
    }
    env->overcommit = read_number(root, "/proc/sys/vm/overcommit_memory");
    read_choice(root, "/sys/kernel/mm/transparent_hugepage/enabled", env->thp, sizeof env->thp);
}

static void probe_load(struct aisp_environment *env, struct root *root)
{
    const char *text = slurp(root, "/proc/loadavg");
    long long user, nice, sys, idle, wait, irq, soft, steal;

    if (text)
        env->load1 = strtod(text, NULL);
    text = slurp(root, "/proc/pressure/cpu");
    text = text ? strstr(text, "avg10=") : NULL;
    if (text)
        env->psi_cpu_avg10 = strtod(text + strlen("avg10="), NULL);
    text = slurp(root, "/proc/stat");
    if (text && sscanf(text, "cpu %lld %lld %lld %lld %lld %lld %lld %lld", &user, &nice, &sys, &idle, &wait, &irq, &soft,
                       &steal) == 8)
        env->steal_ticks = steal;
}

/* Our own group's path for a controller, out of /proc/self/cgroup; v2 has the line "0::/path". */
static void cgroup_path(struct root *root, const char *controller, char *to, size_t size)
{
    const char *text = slurp(root, "/proc/self/cgroup");

    *to = 0;
    for (const char *line = text; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        const char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;

        if (!path)
            return;
        if (*controller ? !strncmp(names + 1, controller, strlen(controller)) : path == names + 1)
            copy_line(to, size, path + 1);
    }
}

static int64_t cgroup_number(struct root *root, const char *mount, const char *group, const char *file)
{
    char path[512];
    int64_t value;

    snprintf(path, sizeof path, "%s%s/%s", mount, strcmp(group, "/") ? group : "", file);
    value = read_number(root, path);
    if (value >= 0)
        return value;
    snprintf(path, sizeof path, "%s/%s", mount, file);   /* a container sees its group as the mount's root */
    return read_number(root, path);
}

static void probe_cgroup_v2(struct aisp_environment *env, struct root *root, const char *group)
{
    char path[512];
    const char *text;

    snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", strcmp(group, "/") ? group : "");
    text = slurp(root, path);
    if (!text)
        text = slurp(root, "/sys/fs/cgroup/cpu.max");
    if (text && isdigit((unsigned char)*text)) {
        char *end;

        env->cgroup_quota_usec = strtoll(text, &end, 10);
        env->cgroup_period_usec = strtoll(end, NULL, 10);
    }
    snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.stat", strcmp(group, "/") ? group : "");
    text = slurp(root, path);
    if (!text)
        text = slurp(root, "/sys/fs/cgroup/cpu.stat");
    env->cgroup_throttled_usec = text ? field(text, "throttled_usec") : -1;
    env->cgroup_memory_bytes = cgroup_number(root, "/sys/fs/cgroup", group, "memory.max");
}

/* v1 counts in nanoseconds, and under another name. */
static int64_t v1_throttled_usec(struct root *root, const char *group)
{
    char path[512];
    const char *text;
    int64_t ns;

    snprintf(path, sizeof path, "/sys/fs/cgroup/cpu%s/cpu.stat", strcmp(group, "/") ? group : "");
    text = slurp(root, path);
    if (!text)
        text = slurp(root, "/sys/fs/cgroup/cpu/cpu.stat");
    ns = text ? field(text, "throttled_time") : -1;
    return ns < 0 ? -1 : ns / 1000;
}

static void probe_cgroup(struct aisp_environment *env, struct root *root)
{
    char group[256];
    const bool v2 = slurp(root, "/sys/fs/cgroup/cgroup.controllers") != NULL;
    const bool v1 = count_entries(root, "/sys/fs/cgroup/cpu", "") >= 0;

    snprintf(env->cgroup, sizeof env->cgroup, "%s", v2 && v1 ? "hybrid" : v2 ? "v2" : v1 ? "v1" : "none");
    if (v2) {
        cgroup_path(root, "", group, sizeof group);
        probe_cgroup_v2(env, root, group);
        return;
    }
    if (!v1)
        return;
    cgroup_path(root, "cpu", group, sizeof group);
    env->cgroup_quota_usec = cgroup_number(root, "/sys/fs/cgroup/cpu", group, "cpu.cfs_quota_us");
    env->cgroup_period_usec = cgroup_number(root, "/sys/fs/cgroup/cpu", group, "cpu.cfs_period_us");
    env->cgroup_throttled_usec = v1_throttled_usec(root, group);
    cgroup_path(root, "memory", group, sizeof group);
    env->cgroup_memory_bytes = cgroup_number(root, "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes");
    if (env->cgroup_memory_bytes > INT64_MAX / 2)
        env->cgroup_memory_bytes = -1;                   /* v1 writes "no limit" as a huge number */
}

static void probe_virtual(struct aisp_environment *env, struct root *root)
{
    char vendor[64] = "", product[64] = "";
    const char *text;

    read_line(root, "/sys/class/dmi/id/sys_vendor", vendor, sizeof vendor);
    read_line(root, "/sys/class/dmi/id/product_name", product, sizeof product);
    read_line(root, "/sys/hypervisor/type", env->hypervisor, sizeof env->hypervisor);
    if (strstr(vendor, "QEMU") || strstr(product, "KVM") || strstr(product, "Virtual") || strstr(vendor, "Xen") ||
        strstr(vendor, "Amazon EC2") || strstr(product, "Google Compute") || strstr(product, "VMware")) {
        env->virtual_machine = true;
        if (!*env->hypervisor)
            copy_line(env->hypervisor, sizeof env->hypervisor, *product ? product : vendor);
    }
    text = slurp(root, "/proc/version");
    if (text && strstr(text, "gVisor")) {
        env->virtual_machine = true;
        snprintf(env->hypervisor, sizeof env->hypervisor, "gVisor");
    }
    if (env->virtual_machine && !*env->hypervisor)
        snprintf(env->hypervisor, sizeof env->hypervisor, "unknown");
    if (slurp(root, "/.dockerenv"))
        snprintf(env->container, sizeof env->container, "docker");
    else if (slurp(root, "/run/.containerenv"))
        snprintf(env->container, sizeof env->container, "podman");
}

/* What only this process can be asked: its affinity, kernel and environment. */
static void probe_self(struct aisp_environment *env, struct root *root)
{
    static const char *const injections[] = { "CUDA_INJECTION", "NVTX_INJECTION", "NSYS_", "NV_COMPUTE_PROFILER", "LD_AUDIT" };
    const char *preload = getenv("LD_PRELOAD"), *text;
    struct timespec real, mono;
    struct utsname uts;
    cpu_set_t set;

    CPU_ZERO(&set);
    env->n_usable = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : -1;
    if (uname(&uts) == 0)
        snprintf(env->kernel, sizeof env->kernel, "%.31s %.60s", uts.sysname, uts.release);
    if (preload)
        snprintf(env->preload, sizeof env->preload, "%s", preload);
    for (size_t i = 0; i < sizeof injections / sizeof *injections; i++)
        for (char **at = environ; at && *at; at++)
            if (!strncmp(*at, injections[i], strlen(injections[i])))
                snprintf(env->injection, sizeof env->injection, "%.*s", (int)strcspn(*at, "="), *at);
    text = slurp(root, "/proc/self/status");
    if (text)
        env->tracer_pid = (int)field(text, "TracerPid");
    clock_gettime(CLOCK_REALTIME, &real);
    clock_gettime(CLOCK_MONOTONIC_RAW, &mono);
    env->realtime_minus_mono_ns = ((int64_t)real.tv_sec - mono.tv_sec) * 1000000000 + real.tv_nsec - mono.tv_nsec;
}

void aisp_environment_probe(struct aisp_environment *env, const char *root_path)
{
    struct root *root = aisp_xcalloc(1, sizeof *root);

    root->path = root_path;
    memset(env, 0, sizeof *env);
    env->n_cpus = env->n_usable = env->n_numa = env->smt = env->aslr = env->turbo = env->tracer_pid = -1;
    env->l1d_bytes = env->l2_bytes = env->l3_bytes = env->memory_bytes = env->available_bytes = -1;
    env->swap_used_bytes = env->overcommit = env->steal_ticks = env->cpu_khz = -1;
    env->cgroup_throttled_usec = env->cgroup_quota_usec = env->cgroup_period_usec = env->cgroup_memory_bytes = -1;
    env->load1 = env->psi_cpu_avg10 = -1;
    probe_cpu(env, root);
    probe_caches(env, root);
    probe_topology(env, root);
    probe_memory(env, root);
    probe_load(env, root);
    probe_cgroup(env, root);
    probe_virtual(env, root);
    probe_self(env, root);
    env->aslr = (int)read_number(root, "/proc/sys/kernel/randomize_va_space");
    free(root);
}

void aisp_environment_fingerprint(const struct aisp_environment *env, char hex[65])
{
    struct aisp_buf text = AISP_BUF_INIT;

    /* Memory in GiB: kernels reserve a little more or less from boot to boot. */
    aisp_buf_printf(&text, "%s|%s|%s|%d|%lld|%lld|%lld|%lld|%s", env->cpu_model, env->isa, env->hypervisor, env->n_cpus,
                    (long long)env->l1d_bytes, (long long)env->l2_bytes, (long long)env->l3_bytes,
                    (long long)(env->memory_bytes >> 30), env->kernel);
    aisp_hash_bytes(text.s, text.len, hex);
    aisp_buf_release(&text);
}
