/* footing.c - read /proc/PID of a worker that sleeps after its last window. */
#include "core/footing.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { IO_WHO_PROCESS = 1, IO_CLASS_SHIFT = 13, NUMA_LOOKS = 3, PAGE_KIB_USUAL = 4 };
enum { UNLIMITED_STACK_BYTES = 2 << 20 };

struct place {
    const char *root;
    int pid;
};

static FILE *open_file(const struct place *at, const char *name)
{
    char path[512];

    snprintf(path, sizeof path, "%s/proc/%d/%s", strcmp(at->root, "/") ? at->root : "", at->pid,
             name);
    return fopen(path, "r");
}

/* ---- status: memory and tracer ---- */

/* Address space of a thread's stack where nobody asks for another size: the soft limit, and of none what the C library takes. */
static long long stack_kib(const struct place *at)
{
    FILE *file = open_file(at, "limits");
    long long bytes = 0;
    char line[256];

    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "Max stack size %lld", &bytes) == 0 && strstr(line, "Max stack size"))
            bytes = UNLIMITED_STACK_BYTES;
    if (file)
        fclose(file);
    return bytes >> 10;
}

/* What is claimed beside the stacks of all threads but the first, whose own grows with what it uses. */
static long long beside_stacks_kib(const struct place *at, long long data_kib, long long n_threads)
{
    const long long stacks_kib = n_threads > 1 ? (n_threads - 1) * stack_kib(at) : 0;

    return data_kib > stacks_kib ? data_kib - stacks_kib : 0;
}

static void read_status(struct aisp_footing *f, const struct place *at)
{
    long long size_kib = -1, peak_kib = -1, data_kib = -1, anon_kib = -1, most_kib = -1, tracer = 0;
    long long n_threads = 1;
    FILE *file = open_file(at, "status");
    char line[256];

    while (file && fgets(line, sizeof line, file)) {
        sscanf(line, "TracerPid: %lld", &tracer);
        sscanf(line, "VmPeak: %lld", &peak_kib);
        sscanf(line, "VmSize: %lld", &size_kib);
        sscanf(line, "VmHWM: %lld", &most_kib);
        sscanf(line, "RssAnon: %lld", &anon_kib);
        sscanf(line, "VmData: %lld", &data_kib);
        sscanf(line, "Threads: %lld", &n_threads);
    }
    if (file)
        fclose(file);
    if (tracer > 0)
        f->tracer_pid = (int32_t)tracer;
    data_kib = beside_stacks_kib(at, data_kib, n_threads);
    if (anon_kib >= 0 && data_kib << 10 > f->data_bytes) {
        f->data_bytes = data_kib << 10;
        f->resident_bytes = anon_kib << 10;
    }
    if (peak_kib - size_kib > 0 && (peak_kib - size_kib) << 10 > f->returned_bytes)
        f->returned_bytes = (peak_kib - size_kib) << 10;
    if (most_kib << 10 > f->peak_bytes)
        f->peak_bytes = most_kib << 10;
}

/* ---- tasks: what the scheduler was told ---- */

static void read_task(struct aisp_footing *f, const struct place *at, const char *tid)
{
    char name[64], text[1024] = "", *field;
    long long value[42] = { 0 };
    int n = 4;
    FILE *file;

    snprintf(name, sizeof name, "task/%.32s/stat", tid);
    file = open_file(at, name);
    if (!file)
        return;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    field = strrchr(text, ')'); /* the name may hold anything; behind it stands field 3, a letter */
    if (!field || strlen(field) < 4)
        return;
    for (field += 3; n < 42; n++)
        value[n] = strtoll(field, &field, 10);
    f->nice_low = value[19] < f->nice_low ? (int32_t)value[19] : f->nice_low;
    f->nice_high = value[19] > f->nice_high ? (int32_t)value[19] : f->nice_high;
    f->realtime = value[40] > f->realtime ? (int32_t)value[40] : f->realtime;
    f->policy = value[41] > f->policy ? (int32_t)value[41] : f->policy;
    if (!strcmp(at->root, "/")) {
        const long io = syscall(SYS_ioprio_get, IO_WHO_PROCESS, atoi(tid));

        if (io >> IO_CLASS_SHIFT > f->io_class)
            f->io_class = (int32_t)(io >> IO_CLASS_SHIFT);
    }
}

static void read_tasks(struct aisp_footing *f, const struct place *at)
{
    char path[512];
    DIR *dir;

    snprintf(path, sizeof path, "%s/proc/%d/task", strcmp(at->root, "/") ? at->root : "", at->pid);
    dir = opendir(path);
    for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir))
        if (isdigit((unsigned char)*e->d_name))
            read_task(f, at, e->d_name);
    if (dir)
        closedir(dir);
}

/* ---- nodes ---- */

static int node_of_cpu(const char *root, int cpu)
{
    for (int node = 0; node < AISP_FOOTING_NODES; node++) {
        char path[512];

        snprintf(path, sizeof path, "%s/sys/devices/system/cpu/cpu%d/node%d",
                 strcmp(root, "/") ? root : "", cpu, node);
        if (!access(path, F_OK))
            return node;
    }
    return -1;
}

/* The one node of all cores that it may run on. */
static int node_of(const struct place *at)
{
    FILE *file = open_file(at, "status");
    char line[512], *p = NULL;
    int node = -1;

    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, "Cpus_allowed_list:", 18)) {
            p = line + 18;
            break;
        }
    if (file)
        fclose(file);
    while (p && *p) {
        char *end;
        const long first = strtol(p, &end, 10);
        const long last = end != p && *end == '-' ? strtol(end + 1, &end, 10) : first;

        if (end == p || last - first > 4096)
            break;
        for (long cpu = first; cpu <= last; cpu++) {
            const int its = node_of_cpu(at->root, (int)cpu);

            if (its < 0 || (node >= 0 && its != node))
                return -1;
            node = its;
        }
        p = *end == ',' ? end + 1 : NULL;
    }
    return node;
}

/* "7f10 default file=/memfd:aisp-in ...": laid out by the harness, and its pages moved nowhere by who was given it. */
static bool is_as_given(const char *line)
{
    const char *policy = strchr(line, ' ');

    return strstr(line, " file=/memfd:aisp-") && policy && (!strncmp(policy, " default ", 9) || !strncmp(policy, " local ", 7));
}

static void read_nodes(struct aisp_footing *f, const struct place *at)
{
    FILE *file = open_file(at, "numa_maps");
    char line[2048];

    while (file && fgets(line, sizeof line, file)) {
        const char *page = strstr(line, "kernelpagesize_kB=");
        const long long kib = page ? strtoll(page + 18, NULL, 10) : PAGE_KIB_USUAL;
        const bool is_file = strstr(line, " file=/") && !strstr(line, "memfd:");
        int64_t *bytes = is_as_given(line) ? f->harness_node_bytes : f->node_bytes;

        for (char *p = strstr(line, " N"); p && !is_file; p = strstr(p + 1, " N")) {
            char *end;
            const long node = strtol(p + 2, &end, 10);

            if (*end == '=' && node >= 0 && node < AISP_FOOTING_NODES)
                bytes[node] += (strtoll(end + 1, NULL, 10) * kib) << 10;
        }
    }
    if (file)
        fclose(file);
    f->node = node_of(at);
}

void aisp_footing_look(struct aisp_footing *f, const char *root, int pid, bool priorities)
{
    const struct place at = { root, pid };

    if (pid <= 0)
        return;
    if (!f->n_looks) {
        f->nice_given = strcmp(root, "/") ? 0 : getpriority(PRIO_PROCESS, 0);
        f->nice_low = f->nice_high = f->nice_given;
        f->node = -1;
    }
    read_status(f, &at);
    if (priorities)
        read_tasks(f, &at);
    if (f->n_looks < NUMA_LOOKS)
        read_nodes(f, &at);
    f->n_looks++;
}
