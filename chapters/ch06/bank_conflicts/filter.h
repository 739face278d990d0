/* filter.h - the filter for a few columns, shared by the rungs, which differ in where the columns lie. */
#ifndef BANK_CONFLICTS_FILTER_H
#define BANK_CONFLICTS_FILTER_H

#include <immintrin.h>
#include <stdint.h>

#include "problem.h"

enum { LANES = 8 };

#define AVX2 __attribute__((target("avx2"), always_inline)) static inline

/* One row of y, n columns of it; `pitch` is the distance of rows of x. */
static inline void filter_portable(const float *x, int64_t pitch, const float *w, float *y, int64_t n)
{
    for (int64_t c = 0; c < n; c++) {
        float sum = 0;

        for (int64_t t = 0; t < TAPS; t++)
            sum += w[t] * x[t * pitch + c];
        y[c] = sum;
    }
}

/* All rows, for machines without AVX2. */
static inline void filter_all_portable(const float *x, const float *w, float *y, int64_t rows)
{
    for (int64_t r = 0; r < rows; r++)
        filter_portable(x + r * COLS, COLS, w, y + r * COLS, COLS);
}

/* One row with AVX2, two registers at a time; n is a multiple of 16. */
AVX2 void filter_row(const float *x, int64_t pitch, const float *w, float *y, int64_t n)
{
    for (int64_t c = 0; c < n; c += 2 * LANES) {
        __m256 a = _mm256_setzero_ps(), b = a;

        for (int64_t t = 0; t < TAPS; t++) {
            const __m256 wt = _mm256_broadcast_ss(w + t);

            a = _mm256_add_ps(a, _mm256_mul_ps(wt, _mm256_loadu_ps(x + t * pitch + c)));
            b = _mm256_add_ps(b, _mm256_mul_ps(wt, _mm256_loadu_ps(x + t * pitch + c + LANES)));
        }
        _mm256_storeu_ps(y + c, a);
        _mm256_storeu_ps(y + c + LANES, b);
    }
}

#endif
