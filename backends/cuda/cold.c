/* cold.c - the cache of a card: emptied by reading three times as much, and looked into by timing lines. Every context shares
 * it, and it knows memory by where it lies and not by who asks: so the judge sees what a worker has read.
 * Where the limit lies is found before each session, on lines of the judge's own: some that were swept out, and the same just
 * read. Some that were swept out are read beside those of each slot as well, at the clock that the card has then: if they look
 * hot, it is the limit that is wrong.
 * Not here: when (core/run/cold.c), what it means (checks/). */
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/cold.h"
#include "core/base/err.h"

/* SPARED: lines of an input for each that is timed. What is timed lies in the cache then, and is hardly drawn again. */
enum { TIMES_THE_CACHE = 3, KNOWN_LINES = 256, LINES_OF_A_SLOT = 64, LINE_BYTES = 128, SPARED = 64 };

static int by_size(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

static uint32_t median(const uint32_t *took, int n)
{
    uint32_t sorted[CUDA_MOST_LINES];

    memcpy(sorted, took, (size_t)n * sizeof *took);
    qsort(sorted, (size_t)n, sizeof *sorted, by_size);
    return sorted[n / 2];
}

int64_t cuda_cold_count(const uint32_t *took, int n, uint32_t limit)
{
    int64_t n_hot = 0;

    for (int i = 0; i < n; i++)
        n_hot += took[i] < limit;
    return n_hot;
}

uint32_t cuda_cold_limit(const uint32_t *swept_out, const uint32_t *just_read, int n)
{
    const uint32_t far = median(swept_out, n), near = median(just_read, n);

    return far > near ? near + (far - near) / 2 : near;
}

int cuda_cold_n_lines(uint64_t bytes)
{
    const uint64_t most = bytes / LINE_BYTES / SPARED;

    return most < LINES_OF_A_SLOT ? (int)most : LINES_OF_A_SLOT;
}

int64_t cuda_cold_sweep(struct cuda_judge *judge, int64_t cache_bytes, int percent)
{
    const int64_t bytes = TIMES_THE_CACHE * cache_bytes * percent / 100 / 16 * 16;

    if (bytes > 0)
        cuda_judge_sweep(judge, (uint64_t)bytes);
    return bytes;
}

enum aisp_status cuda_cold_calibrate(struct cuda_judge *judge, int64_t cache_bytes, uint64_t seed, uint32_t *limit,
                                     struct aisp_cold_facts *facts, struct aisp_err *err)
{
    const uint64_t span = (uint64_t)cache_bytes / 4;
    uint32_t swept_out[KNOWN_LINES], just_read[KNOWN_LINES];
    enum aisp_status st;

    if (cache_bytes <= 0) /* the driver knows of none */
        return AISP_OK;
    cuda_cold_sweep(judge, cache_bytes, 100);
    AISP_TRY(cuda_judge_lines(judge, -1, span, seed, swept_out, KNOWN_LINES, err));
    AISP_TRY(cuda_judge_lines(judge, -1, span, seed, just_read, KNOWN_LINES, err));
    *limit = cuda_cold_limit(swept_out, just_read, KNOWN_LINES);
    facts->n_swept_out += KNOWN_LINES;
    facts->n_just_read += KNOWN_LINES;
    facts->n_swept_out_hot += cuda_cold_count(swept_out, KNOWN_LINES, *limit);
    facts->n_just_read_hot += cuda_cold_count(just_read, KNOWN_LINES, *limit);
out:
    return st;
}

enum aisp_status cuda_cold_compare(struct cuda_judge *judge, int64_t cache_bytes, uint64_t seed, uint32_t limit,
                                   struct aisp_cold_facts *facts, struct aisp_err *err)
{
    uint32_t took[LINES_OF_A_SLOT];
    enum aisp_status st;

    AISP_TRY(cuda_judge_lines(judge, -1, (uint64_t)cache_bytes / 4, seed, took, LINES_OF_A_SLOT, err));
    facts->n_swept_out += LINES_OF_A_SLOT;
    facts->n_swept_out_hot += cuda_cold_count(took, LINES_OF_A_SLOT, limit);
out:
    return st;
}

void cuda_cold_tell(struct aisp_cold_facts *known_take, struct aisp_cold_facts *to)
{
    to->n_swept_out += known_take->n_swept_out;
    to->n_just_read += known_take->n_just_read;
    to->n_swept_out_hot += known_take->n_swept_out_hot;
    to->n_just_read_hot += known_take->n_just_read_hot;
    *known_take = (struct aisp_cold_facts){ 0 };
}

enum aisp_status cuda_cold_look(struct aisp_session *s, int slot, uint64_t seed, uint32_t limit, struct aisp_cold_look *look,
                                struct aisp_err *err)
{
    uint32_t took[LINES_OF_A_SLOT];
    enum aisp_status st = AISP_OK;

    for (int t = 0; t < s->inst.n_tensors; t++) {
        const struct cpu_buffer *b = cpu_buffer_of(s, slot, t);
        const int n = cuda_cold_n_lines(b->bytes);

        if (s->inst.problem->tensor[t].role != AISP_IN || b->far < 0 || !n)
            continue;
        AISP_TRY(cuda_judge_lines(s->far->judge, b->far, 0, seed + (uint64_t)t, took, n, err));
        look->n_lines += n;
        look->n_hot += cuda_cold_count(took, n, limit);
    }
out:
    return st;
}
