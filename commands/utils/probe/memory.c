/* memory.c - caches as the system describes them, and as loads that depend on each other find them. */
#include <dirent.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "commands/utils/probe/probe.h"
#include "core/base/buf.h"
#include "core/base/clock.h"

/* ---- claimed ---- */

static bool read_word(const char *folder, const char *name, char *text, int size)
{
    char *path = aisp_format("%s/%s", folder, name);
    FILE *f = fopen(path, "re");
    const bool good = f && fgets(text, size, f);

    if (f)
        fclose(f);
    free(path);
    if (good)
        text[strcspn(text, "\n")] = '\0';
    return good;
}

/* null: the file is not there. "K" and "M" behind a number are understood. */
static json_t *number(const char *folder, const char *name)
{
    char text[64], *unit;
    long long value;

    if (!read_word(folder, name, text, sizeof text))
        return json_null();
    value = strtoll(text, &unit, 10);
    return json_integer(value << (*unit == 'K' ? 10 : *unit == 'M' ? 20 : 0));
}

json_t *aisp_probe_caches(void)
{
    json_t *caches = json_array();

    for (int i = 0;; i++) {
        char *folder = aisp_format("/sys/devices/system/cpu/cpu0/cache/index%d", i), type[32], shared[128] = "";

        if (!read_word(folder, "type", type, sizeof type)) {
            free(folder);
            return caches;
        }
        read_word(folder, "shared_cpu_list", shared, sizeof shared);
        json_array_append_new(caches,
                              json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:s}", "level", number(folder, "level"), "type", type,
                                        "bytes", number(folder, "size"), "line_bytes", number(folder, "coherency_line_size"),
                                        "ways", number(folder, "ways_of_associativity"), "sets",
                                        number(folder, "number_of_sets"), "shared_cpus", shared));
        free(folder);
    }
}

/* ---- measured ---- */

enum { LINE = 64, SLICES = 5 };
#define HUGE_PAGE ((size_t)2 << 20)
#define SMALLEST  ((size_t)8 << 10)
#define LARGEST   ((size_t)128 << 20)
#define LOADS     INT64_C(100000)

/* A random cycle through all lines (Sattolo's), so that no prefetcher can guess the next. */
static void link_lines(char *memory, size_t lines)
{
    uint32_t *order = aisp_xmalloc(lines * sizeof *order), seed = 2463534242u;

    for (size_t i = 0; i < lines; i++)
        order[i] = (uint32_t)i;
    for (size_t i = lines - 1; i > 0; i--) {
        size_t j;
        uint32_t swap;

        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        j = seed % i;
        swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
    for (size_t i = 0; i < lines; i++)
        *(void **)(void *)(memory + (size_t)order[i] * LINE) = memory + (size_t)order[(i + 1) % lines] * LINE;
    free(order);
}

static void *chase(void *at, int64_t loads)
{
    for (; loads > 0; loads--)
        __asm__ volatile("mov (%0), %0" : "+r"(at) : : "memory");
    return at;
}

double aisp_chase_ns(size_t bytes, int64_t loads)
{
    const size_t room = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    char *memory = aligned_alloc(HUGE_PAGE, room);
    double best = INFINITY;
    void *at = memory;

    if (!memory)
        return 0;
    madvise(memory, room, MADV_HUGEPAGE); /* otherwise misses of the TLB are in it as well */
    link_lines(memory, bytes / LINE);
    at = chase(at, (int64_t)(bytes / LINE)); /* all of it once: what can stay near is near */
    for (int i = 0; i < SLICES; i++) {
        const int64_t start = aisp_now_ns();

        at = chase(at, loads / SLICES);
        best = fmin(best, (double)(aisp_now_ns() - start) / (double)(loads / SLICES));
    }
    free(memory);
    return best;
}

json_t *aisp_probe_latency(json_t **steps)
{
    json_t *rows = json_array();
    double before = 0, level = 0;

    *steps = json_array();
    for (size_t bytes = SMALLEST; bytes <= LARGEST; bytes *= 2) {
        const double ns = aisp_chase_ns(bytes, LOADS);

        if (ns <= 0)
            break;
        json_array_append_new(rows, json_pack("{s:I, s:f}", "bytes", (json_int_t)bytes, "ns", ns));
        if (level <= 0)
            level = ns;
        /* A step: half as slow again as the last level. A set that lies in two levels is between them, so the rise is waited
         * out. */
        if (ns > 1.5 * level && (before <= 0 || ns < 1.25 * before)) {
            json_array_append_new(*steps, json_pack("{s:I, s:f}", "reached_at_bytes", (json_int_t)bytes, "ns", ns));
            level = ns;
        }
        before = ns;
    }
    return rows;
}
