/* tiles.h - the two halves of the work, which all rungs share and put into different orders: packing rows and multiplying rows.
 * The kernel is as fast for the baseline as for the others: with a slow one there would be little load to hide. */
#ifndef DOUBLE_BUFFER_TILES_H
#define DOUBLE_BUFFER_TILES_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include <aisp/variant.h>

#include "problem.h"

enum { TILE = 64, GROUP = 4, LANES = 8, LINE = 64 };

struct work {
    const float *table, *w;
    const int32_t *pick;
    float *y;
    int64_t rows, width, picks;
    int is_fast; /* there is AVX2 with FMA */
};

static inline struct work work_of(const struct aisp_call *call)
{
    return (struct work){
        .table = call->tensor[TABLE],
        .w = call->tensor[W],
        .pick = call->tensor[PICK],
        .y = call->tensor[Y],
        .rows = call->param[ROWS],
        .width = call->param[WIDTH],
        .picks = call->param[PICKS],
        .is_fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"),
    };
}

static inline size_t tile_bytes(const int64_t *param)
{
    return (size_t)(TILE * param[WIDTH]) * sizeof(float);
}

static inline int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline const float *picked(const struct work *work, int64_t i)
{
    return work->table + row_of(work->pick[i], work->rows) * work->width;
}

/* Picks [begin, end), as far as there are so many, to packed rows. */
static inline void pack(const struct work *work, int64_t begin, int64_t end, float *to)
{
    end = least(end, work->picks);
    for (int64_t i = begin; i < end; i++, to += work->width)
        memcpy(to, picked(work, i), (size_t)work->width * sizeof *to);
}

/* Asks for the lines of picks [begin, end). Inlined: a call of what only prefetches is taken for one without effect. */
__attribute__((always_inline)) static inline void prefetch(const struct work *work, int64_t begin, int64_t end)
{
    end = least(end, work->picks);
    for (int64_t i = begin; i < end; i++) {
        const char *row = (const char *)picked(work, i);
        const int64_t bytes = work->width * (int64_t)sizeof(float);

        for (int64_t at = 0; at < bytes; at += LINE)
            __builtin_prefetch(row + at);
        __builtin_prefetch(row + bytes - 1);
    }
}

/* y = rows * w for n rows, n at most GROUP: any machine. */
static inline void multiply_portable(const float *const row[GROUP], const float *w, int64_t width, int64_t n, float *y)
{
    for (int64_t r = 0; r < n; r++, y += OUTPUTS) {
        float sum[OUTPUTS] = { 0 };

        for (int64_t k = 0; k < width; k++)
            for (int o = 0; o < OUTPUTS; o++)
                sum[o] += row[r][k] * w[k * OUTPUTS + o];
        memcpy(y, sum, sizeof sum);
    }
}

/* Four rows in AVX2 with FMA: eight registers of sums, two loads of w and four broadcasts for eight multiply-adds a step.
 * The sums are named one by one: as an array gcc 12 stores them in each turn. */
__attribute__((target("avx2,fma"))) static void multiply_four(const float *const row[GROUP], const float *w, int64_t width,
                                                              float *y)
{
    const float *p = row[0], *q = row[1], *r = row[2], *s = row[3];
    __m256 p0 = _mm256_setzero_ps(), p1 = p0, q0 = p0, q1 = p0, r0 = p0, r1 = p0, s0 = p0, s1 = p0;

    for (int64_t k = 0; k < width; k++, w += OUTPUTS) {
        const __m256 w0 = _mm256_loadu_ps(w), w1 = _mm256_loadu_ps(w + LANES);
        const __m256 a = _mm256_broadcast_ss(p + k), b = _mm256_broadcast_ss(q + k);
        const __m256 c = _mm256_broadcast_ss(r + k), d = _mm256_broadcast_ss(s + k);

        p0 = _mm256_fmadd_ps(a, w0, p0);
        p1 = _mm256_fmadd_ps(a, w1, p1);
        q0 = _mm256_fmadd_ps(b, w0, q0);
        q1 = _mm256_fmadd_ps(b, w1, q1);
        r0 = _mm256_fmadd_ps(c, w0, r0);
        r1 = _mm256_fmadd_ps(c, w1, r1);
        s0 = _mm256_fmadd_ps(d, w0, s0);
        s1 = _mm256_fmadd_ps(d, w1, s1);
    }
    _mm256_storeu_ps(y, p0);
    _mm256_storeu_ps(y + 1 * LANES, p1);
    _mm256_storeu_ps(y + 2 * LANES, q0);
    _mm256_storeu_ps(y + 3 * LANES, q1);
    _mm256_storeu_ps(y + 4 * LANES, r0);
    _mm256_storeu_ps(y + 5 * LANES, r1);
    _mm256_storeu_ps(y + 6 * LANES, s0);
    _mm256_storeu_ps(y + 7 * LANES, s1);
}

/* The same of n rows, n at most GROUP; where there are fewer, row[n ..] are not looked at. */
static inline void multiply(const struct work *work, const float *const row[GROUP], int64_t n, float *y)
{
    if (n == GROUP && work->is_fast)
        multiply_four(row, work->w, work->width, y);
    else
        multiply_portable(row, work->w, work->width, n, y);
}

/* Of packed rows. */
static inline void multiply_packed(const struct work *work, const float *row, int64_t n, float *y)
{
    const float *const four[GROUP] = { row, row + work->width, row + 2 * work->width, row + 3 * work->width };

    multiply(work, four, n, y);
}

#endif
