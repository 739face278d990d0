/* peak.c - measure one ceiling: warm up, cut the time into slices, sample the clock around each,
 * keep the best. */
#include "core/peak/peak.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/sort.h"
#include "core/environment.h"
#include "core/peak/rows.h"

enum {
    N_PEAKS = AISP_N_COMPUTE_PEAKS + AISP_N_MEMORY_PEAKS,
    SLICE_NS = 200000,
    MAX_SLICES = 4096,
    MIN_SLICES = 3,
    CHAIN = 32, /* additions in one turn of the clock's loop */
    CHAIN_TURNS = 1000,
    STEP_BYTES = 512, /* working sets are whole steps of the widest loop */
};

#define L3_MOST_BYTES  ((size_t)16 << 20) /* a shared level: more would be a neighbour's part */
#define DRAM_MIN_BYTES ((size_t)64 << 20)

/* ---- Caches ---- */

static bool read_line(int index, const char *name, char *line, int size)
{
    char path[96];
    FILE *file;
    bool ok;

    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, name);
    file = fopen(path, "re");
    if (!file)
        return false;
    ok = fgets(line, size, file) != NULL;
    fclose(file);
    return ok;
}

static void ask_libc(struct aisp_caches *caches)
{
    int64_t l1, l2;

    aisp_environment_own_caches(&l1, &l2);
    caches->l1_bytes = l1 > 0 ? (size_t)l1 : 0;
    caches->l2_bytes = l2 > 0 ? (size_t)l2 : 0;
}

void aisp_caches_read(struct aisp_caches *caches)
{
    size_t *const level[] = { &caches->l1_bytes, &caches->l2_bytes, &caches->l3_bytes };
    char type[32], number[32], size[32];

    *caches = (struct aisp_caches){ 0 };
    for (int i = 0; read_line(i, "type", type, sizeof type); i++) {
        if (type[0] == 'I' || !read_line(i, "level", number, sizeof number) ||
            !read_line(i, "size", size, sizeof size))
            continue;

        const long at = strtol(number, NULL, 10);
        char *unit;
        const size_t value = strtoul(size, &unit, 10);

        if (at >= 1 && at <= 3)
            *level[at - 1] = value << (*unit == 'K' ? 10 : *unit == 'M' ? 20 : 0);
    }
    if (!caches->l1_bytes)
        ask_libc(caches);
}

/* ---- The table ---- */

const struct aisp_peak *aisp_peak_at(size_t i)
{
    if (i < AISP_N_COMPUTE_PEAKS)
        return &aisp_compute_peaks[i];
    i -= AISP_N_COMPUTE_PEAKS;
    return i < AISP_N_MEMORY_PEAKS ? &aisp_memory_peaks[i] : NULL;
}

const struct aisp_peak *aisp_peak_find(const char *name)
{
    for (size_t i = 0; i < N_PEAKS; i++)
        if (strcmp(aisp_peak_at(i)->name, name) == 0)
            return aisp_peak_at(i);
    return NULL;
}

/* ---- Working sets ---- */

static size_t level_bytes(const struct aisp_peak *peak, const struct aisp_caches *caches)
{
    const size_t last = caches->l3_bytes ? caches->l3_bytes : caches->l2_bytes;

    switch (peak->level) {
    case AISP_PEAK_CORE:
        return 0;
    case AISP_PEAK_L1:
        return caches->l1_bytes / 2;
    case AISP_PEAK_L2:
        return caches->l2_bytes / 2;
    case AISP_PEAK_L3:
        return caches->l3_bytes / 2 < L3_MOST_BYTES ? caches->l3_bytes / 2 : L3_MOST_BYTES;
    case AISP_PEAK_DRAM:
        return last && 4 * last > DRAM_MIN_BYTES ? 4 * last : DRAM_MIN_BYTES;
    }
    AISP_BUG("peak %s: level %d", peak->name, (int)peak->level);
}

size_t aisp_peak_bytes(const struct aisp_peak *peak, const struct aisp_caches *caches)
{
    return peak->level == AISP_PEAK_CORE
               ? AISP_PEAK_SINK_BYTES
               : level_bytes(peak, caches) / (2 * STEP_BYTES) * 2 * STEP_BYTES;
}

/* ---- The clock ---- */

/* Register to register: additions of a constant are folded before execution on some cores. */
static double chain_ghz(void)
{
    int64_t turns = CHAIN_TURNS, sum = 1, one = 1, ns = aisp_now_ns();

    __asm__ volatile(".p2align 6\n"
                     "1:\n"
                     ".rept 32\n"
                     "add %[one], %[sum]\n"
                     ".endr\n"
                     "dec %[turns]\n"
                     "jnz 1b\n"
                     : [turns] "+r"(turns), [sum] "+r"(sum)
                     : [one] "r"(one)
                     : "cc");
    ns = aisp_now_ns() - ns;
    return (double)CHAIN * CHAIN_TURNS / (double)(ns > 0 ? ns : 1);
}

double aisp_peak_clock_ghz(void)
{
    double best = 0;

    for (int i = 0; i < 3; i++) {
        const double ghz = chain_ghz();

        best = ghz > best ? ghz : best;
    }
    return best;
}

/* ---- One ceiling ---- */

struct arguments {
    void *to;
    const void *from;
    size_t bytes;
};

/* The working set of this row in the caller's buffer, with contents that are not zero. */
static struct arguments arguments_of(const struct aisp_peak *peak, void *buffer, size_t bytes)
{
    uint64_t *word = buffer, x = 0x9e3779b97f4a7c15u;

    if (peak->level == AISP_PEAK_CORE)
        return (struct arguments){ buffer, peak->operands, bytes };
    for (size_t i = 0; i < bytes / 8; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        word[i] = x;
    }
    if (peak->work == 2) /* a copy: one half to the other */
        return (struct arguments){ buffer, (char *)buffer + bytes / 2, bytes / 2 };
    return (struct arguments){ buffer, buffer, bytes };
}

static int64_t timed_ns(const struct aisp_peak *peak, const struct arguments *with, int64_t passes)
{
    const int64_t start = aisp_now_ns();

    peak->loop(with->to, with->from, with->bytes, passes);
    return aisp_now_ns() - start;
}

static int64_t passes_for_a_slice(const struct aisp_peak *peak, const struct arguments *with)
{
    int64_t passes = 1;

    while (timed_ns(peak, with, passes) < SLICE_NS && passes < INT64_MAX / 4)
        passes *= 2;
    return passes;
}

/* The fewest issues a cycle that explain the value, 3 % of sampling error allowed. */
static void set_theory(const struct aisp_peak *peak, struct aisp_peak_result *result)
{
    const size_t width = peak->level == AISP_PEAK_CORE ? 1 : aisp_peak_vector_bytes();
    const double per_issue = (double)peak->work_per_issue * (double)width * result->clock_ghz;

    if (peak->max_issue == 0 || per_issue <= 0)
        return;
    result->issues = peak->min_issue > 0 ? peak->min_issue : 1;
    while (result->issues < peak->max_issue && result->value > 1.03 * result->issues * per_issue)
        result->issues = floor(result->issues) + 1;
    result->theory = result->issues * per_issue;
    result->share = result->value / result->theory;
}

static void run_slices(const struct aisp_peak *peak, const struct arguments *with,
                       int64_t duration_ns, struct aisp_peak_result *result)
{
    const int64_t start = aisp_now_ns(), passes = passes_for_a_slice(peak, with);
    const double work = (double)passes * (double)peak->work *
                        (peak->level == AISP_PEAK_CORE ? 1 : (double)with->bytes);
    double values[MAX_SLICES];
    int n = 0;

    while (aisp_now_ns() - start < duration_ns / 5)
        peak->loop(with->to, with->from, with->bytes, passes);
    for (double before = aisp_peak_clock_ghz(), after;
         n < MAX_SLICES && (n < MIN_SLICES || aisp_now_ns() - start < duration_ns);
         n++, before = after) {
        values[n] = work / (double)timed_ns(peak, with, passes);
        after = aisp_peak_clock_ghz();
        if (values[n] > result->value) {
            result->value = values[n];
            result->clock_ghz = after > before ? after : before;
        }
    }
    aisp_sort(values, (size_t)n);
    result->median = values[n / 2];
    result->slices = n;
}

enum aisp_status aisp_peak_measure(const struct aisp_peak *peak, const struct aisp_caches *caches,
                                   const struct aisp_peak_place *place,
                                   struct aisp_peak_result *result, struct aisp_err *err)
{
    const size_t bytes = aisp_peak_bytes(peak, caches);
    struct arguments with;

    *result = (struct aisp_peak_result){ 0 };
    if (!peak->is_available())
        return aisp_fail(err, AISP_E_UNAVAILABLE, "%s: this core has no such instructions",
                         peak->name);
    if (bytes == 0)
        return aisp_fail(err, AISP_E_UNAVAILABLE,
                         "%s: no cache of this level, or its size is unknown", peak->name);
    if (place->duration_ns <= 0)
        return aisp_fail(err, AISP_E_USAGE, "%s: no time to measure in", peak->name);
    if (!place->buffer || place->bytes < bytes)
        return aisp_fail(err, AISP_E_USAGE, "%s: needs a buffer of %zu bytes, got %zu", peak->name,
                         bytes, place->bytes);
    if ((uintptr_t)place->buffer % 64 != 0)
        return aisp_fail(err, AISP_E_USAGE, "%s: the buffer is not 64-byte aligned", peak->name);
    with = arguments_of(peak, place->buffer, bytes);
    result->working_set_bytes = peak->level == AISP_PEAK_CORE ? 0 : bytes;
    run_slices(peak, &with, place->duration_ns, result);
    set_theory(peak, result);
    return AISP_OK;
}
