/* reach.c - how much memory a worker ever had, as the kernel counted it, and the ring of a server.
 * The peak of the address space is kept by the kernel and cannot be lowered from inside; where it began is what the worker's
 * limit says, which it set before the variant was loaded and cannot raise. In such a session nothing can lie outside of the
 * address space: after loading, the worker lowers the limit of open descriptors to what is open, so there are no pipes and no
 * files without names to be made; whether it did is read here, and what was opened while loading is counted. */
#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "core/base/err.h"

enum { GIVEN_DESCRIPTORS = 3 }; /* its log */

static int64_t status_bytes(const struct cpu_worker *w, const char *label)
{
    char text[4096];
    const ssize_t n = pread(w->status_fd, text, sizeof text - 1, 0);
    const char *at;

    text[n > 0 ? n : 0] = 0;
    at = strstr(text, label);
    return at ? strtoll(at + strlen(label), NULL, 10) * 1024 : -1;
}

void cpu_note_loaded(struct aisp_session *s, struct cpu_worker *w)
{
    if (s->is_measured)
        w->loaded_bytes = status_bytes(w, "\nVmSize:");
}

/* The hard limit as the kernel has it; -1: there is none. */
static int64_t limit_of(const struct cpu_worker *w, const char *name)
{
    char path[32], line[256];
    int64_t limit = -1;
    FILE *f;

    snprintf(path, sizeof path, "/proc/%d/limits", (int)w->pid);
    f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, name, strlen(name)) &&
            sscanf(line + strlen(name), "%*s %" SCNd64, &limit) != 1)
            limit = -1;
    if (f)
        fclose(f);
    return limit;
}

/* -1: this host does not say. */
static int count_descriptors(const struct cpu_worker *w)
{
    char path[32];
    struct dirent *e;
    DIR *dir;
    int n = 0;

    snprintf(path, sizeof path, "/proc/%d/fd", (int)w->pid);
    dir = opendir(path);
    if (!dir)
        return -1;
    while ((e = readdir(dir)))
        n += isdigit((unsigned char)e->d_name[0]) && atoi(e->d_name) >= GIVEN_DESCRIPTORS;
    closedir(dir);
    return n;
}

enum aisp_status cpu_reach(struct aisp_session *s, enum aisp_side side, struct aisp_reach *reach,
                           struct aisp_err *err)
{
    struct cpu_worker *w = &s->worker[side][0];
    const int64_t peak = status_bytes(w, "\nVmPeak:"), limit = limit_of(w, "Max address space"),
                  most_open = limit_of(w, "Max open files"), own = limit - s->limit_bytes[side];
    const int n = count_descriptors(w);

    *reach = (struct aisp_reach){ 0 };
    if (!aisp_defends(&s->policy, AISP_MEMORY_CAP)) { /* as one would look at it from outside */
        reach->peak_bytes = status_bytes(w, "\nRssAnon:");
        return AISP_OK;
    }
    if (limit < 0 || peak < 0 || n < 0)
        return aisp_fail(err, AISP_E_UNAVAILABLE,
                         "this host or build limits no address space: memory cannot be proven");
    reach->peak_bytes = peak - own + cpu_log_bytes(w);
    reach->loaded_bytes = w->loaded_bytes - own;
    reach->n_descriptors = n + (most_open > GIVEN_DESCRIPTORS);
    return AISP_OK;
}

int32_t *cpu_ring(struct aisp_session *s, int slot, int tensor)
{
    return (int32_t *)cpu_buffer_of(s, slot, tensor)->data;
}
