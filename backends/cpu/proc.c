/* proc.c - a process seen from outside: its counters, its CPU clock, and how much memory is left
 * for it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"

static bool read_text(int fd, char *text, size_t size)
{
    const ssize_t n = fd < 0 ? -1 : pread(fd, text, size - 1, 0);

    text[n > 0 ? n : 0] = 0;
    return n > 0;
}

static int64_t number_after(const char *text, const char *label)
{
    const char *at = strstr(text, label);

    return at ? strtoll(at + strlen(label), NULL, 10) : 0;
}

/* /proc/PID/stat: the name may hold anything, so counting starts behind its last bracket, at
 * field 3. */
static void read_stat(const struct cpu_worker *w, struct cpu_counters *c)
{
    char text[1024];
    const char *at;
    char *end;

    if (!read_text(w->stat_fd, text, sizeof text) || !(at = strrchr(text, ')')) || !at[1])
        return;
    at += 2;
    c->state = *at++;
    for (int field = 4; field <= 20; field++) {
        const int64_t value = strtoll(at, &end, 10);

        if (end == at)
            return;
        at = end;
        c->minor_faults = field == 10 ? value : c->minor_faults;
        c->major_faults = field == 12 ? value : c->major_faults;
        c->tasks = field == 20 ? (int)value : c->tasks;
    }
}

void cpu_counters(const struct cpu_worker *w, struct cpu_counters *c, bool with_switches)
{
    char text[4096];

    memset(c, 0, sizeof *c);
    if (!w->alive) {
        c->minor_faults = w->usage.ru_minflt;
        c->major_faults = w->usage.ru_majflt;
        c->voluntary = w->usage.ru_nvcsw;
        c->involuntary = w->usage.ru_nivcsw;
        c->peak_rss_bytes = w->usage.ru_maxrss * 1024;
        return;
    }
    read_stat(w, c);
    if (with_switches && read_text(w->status_fd, text, sizeof text)) {
        c->voluntary = number_after(text, "\nvoluntary_ctxt_switches:");
        c->involuntary = number_after(text, "\nnonvoluntary_ctxt_switches:");
        c->peak_rss_bytes = number_after(text, "\nVmHWM:") * 1024;
    }
}

/* CPU time of all its threads; after its death the last that was seen. */
int64_t cpu_time_ns(struct cpu_worker *w)
{
    struct timespec t;

    if (w->alive && !clock_gettime(w->clock, &t))
        w->last_cpu_ns = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
    return w->last_cpu_ns;
}

int64_t cpu_log_bytes(const struct cpu_worker *w)
{
    struct stat st;

    return w->log_fd >= 0 && !fstat(w->log_fd, &st) ? (int64_t)st.st_size : 0;
}

struct cpu_traffic cpu_traffic_of(const struct cpu_worker *w)
{
    struct cpu_traffic sent = { -1, -1 };
    char text[512];

    if (w->io_fd >= 0 && read_text(w->io_fd, text, sizeof text) && strstr(text, "syscw:")) {
        sent.n = number_after(text, "\nsyscw:");
        sent.bytes = number_after(text, "\nwchar:");
    }
    return sent;
}

static int64_t file_number(const char *path)
{
    char text[64];
    char *end;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool good = read_text(fd, text, sizeof text);
    int64_t value;

    if (fd >= 0)
        close(fd);
    value = good ? strtoll(text, &end, 10) : -1;
    return good && end != text ? value : -1;
}

/* What a control group still allows; -1: it sets no limit. */
static int64_t group_room(const char *limit_path, const char *used_path)
{
    const int64_t limit = file_number(limit_path), used = file_number(used_path);

    return limit < 0 || used < 0 || limit > INT64_MAX / 4 ? -1 : limit - used;
}

int64_t cpu_available_bytes(void)
{
    const int64_t room[] = {
        group_room("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
        group_room("/sys/fs/cgroup/memory/memory.limit_in_bytes",
                   "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
    };
    const int fd = open("/proc/meminfo", O_RDONLY | O_CLOEXEC);
    char text[4096];
    int64_t available = INT64_MAX;

    if (read_text(fd, text, sizeof text))
        available = number_after(text, "\nMemAvailable:") * 1024;
    if (fd >= 0)
        close(fd);
    for (size_t i = 0; i < sizeof room / sizeof *room; i++)
        if (room[i] >= 0 && room[i] < available)
            available = room[i];
    return available;
}
