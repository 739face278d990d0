/* tile.h - some rows of y by some vectors of columns, sums in registers; AVX2 with FMA. The generic rung and the buckets
 * share it: they differ in what of its bounds the compiler knows.
 * Nothing behind the columns may be touched. The last vector of a row therefore ends where the row ends and computes some
 * columns a second time, the same numbers again; rows shorter than a vector are left to plain C. */
#ifndef JIT_SPECIALIZATION_TILE_H
#define JIT_SPECIALIZATION_TILE_H

#include <immintrin.h>

#include <aisp/variant.h>

#include "problem.h"

#define AVX2 __attribute__((target("avx2,fma"), always_inline)) static inline

enum { LANES = 8, TILE_ROWS = 5, TILE_VECTORS = 2 };

struct shape {
    int64_t elements, rows, depth, cols;
};

static inline struct shape shape_of(const int64_t *param)
{
    return (struct shape){ param[ELEMENTS], param[ROWS], param[DEPTH], param[COLS] };
}

/* Are there vectors for it, and a whole one in each row? */
static inline int has_lanes(const struct shape *s)
{
    return s->cols >= LANES && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

/* `rows` rows and one vector of columns, or two of which the second ends with the row. rows and vectors are constants of
 * the call. */
AVX2 void tile(const struct shape *s, const float *d, const float *u, float *y, const int rows, const int vectors)
{
    const int64_t second = s->cols - LANES;
    __m256 sum[TILE_ROWS * TILE_VECTORS], b[TILE_VECTORS];

#pragma GCC unroll 16
    for (int i = 0; i < rows * vectors; i++)
        sum[i] = _mm256_setzero_ps();
    for (int64_t k = 0; k < s->depth; k++, u += s->cols) {
        b[0] = _mm256_loadu_ps(u);
        b[1] = vectors == 2 ? _mm256_loadu_ps(u + second) : b[0];
#pragma GCC unroll 8
        for (int r = 0; r < rows; r++) {
            const __m256 a = _mm256_broadcast_ss(d + r * s->depth + k);

#pragma GCC unroll 2
            for (int v = 0; v < vectors; v++)
                sum[r * vectors + v] = _mm256_fmadd_ps(a, b[v], sum[r * vectors + v]);
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++, y += s->cols) {
        _mm256_storeu_ps(y, sum[r * vectors]);
        if (vectors == 2)
            _mm256_storeu_ps(y + second, sum[r * vectors + 1]);
    }
}

/* The same in plain C. */
static inline void element_portable(const struct shape *s, const float *d, const float *u, float *y)
{
    for (int64_t r = 0; r < s->rows; r++)
        for (int64_t c = 0; c < s->cols; c++) {
            float sum = 0;

            for (int64_t k = 0; k < s->depth; k++)
                sum += d[r * s->depth + k] * u[k * s->cols + c];
            y[r * s->cols + c] = sum;
        }
}

/* One element of any shape that has a vector in each row: a row and a vector at a time. */
AVX2 void element_generic(const struct shape *s, const float *d, const float *u, float *y)
{
    for (int64_t r = 0; r < s->rows; r++, d += s->depth, y += s->cols)
        for (int64_t c = 0; c < s->cols; c += LANES) {
            const int64_t at = c < s->cols - LANES ? c : s->cols - LANES;

            tile(s, d, u + at, y + at, 1, 1);
        }
}

__attribute__((target("avx2,fma"))) static inline void elements_avx2(const struct shape *s, const float *d, const float *u,
                                                                     float *y)
{
    for (int64_t e = 0; e < s->elements; e++)
        element_generic(s, d, u + e * s->depth * s->cols, y + e * s->rows * s->cols);
}

static inline void elements_any(const struct shape *s, const float *d, const float *u, float *y)
{
    if (has_lanes(s))
        elements_avx2(s, d, u, y);
    else
        for (int64_t e = 0; e < s->elements; e++)
            element_portable(s, d, u + e * s->depth * s->cols, y + e * s->rows * s->cols);
}

#endif
