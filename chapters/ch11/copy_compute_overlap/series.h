/* series.h - the recurrence of one point, and of 32 points at once for AVX2; the rungs differ in how points come and values
 * leave. */
#ifndef COPY_COMPUTE_OVERLAP_SERIES_H
#define COPY_COMPUTE_OVERLAP_SERIES_H

#include <immintrin.h>
#include <stdint.h>

#include "problem.h"

#define AVX2 __attribute__((target("avx2,fma"), always_inline)) static inline

enum { LANES = 8, VECTORS = 4, POINTS = VECTORS * LANES };

static inline float series(float x, const float *c, int64_t terms)
{
    float b1 = 0, b2 = 0;

    for (int64_t k = terms - 1; k > 0; k--) {
        const float b = c[k] + 2 * x * b1 - b2;

        b2 = b1;
        b1 = b;
    }
    return c[0] + x * b1 - b2;
}

/* Four independent chains of FMAs are as many as two units of 4 cycles take when each FMA has a subtraction beside it. */
AVX2 void series32(const float *x, const float *c, int64_t terms, __m256 y[VECTORS])
{
    __m256 v[VECTORS], b1[VECTORS], b2[VECTORS];

    for (int p = 0; p < VECTORS; p++) {
        v[p] = _mm256_loadu_ps(x + p * LANES);
        v[p] = _mm256_add_ps(v[p], v[p]);
        b1[p] = b2[p] = _mm256_setzero_ps();
    }
    for (int64_t k = terms - 1; k > 0; k--) {
        const __m256 ck = _mm256_broadcast_ss(c + k);

        for (int p = 0; p < VECTORS; p++) {
            const __m256 b = _mm256_fmadd_ps(v[p], b1[p], _mm256_sub_ps(ck, b2[p]));

            b2[p] = b1[p];
            b1[p] = b;
        }
    }
    for (int p = 0; p < VECTORS; p++) {
        const __m256 half = _mm256_mul_ps(v[p], _mm256_set1_ps(0.5f));

        y[p] = _mm256_fmadd_ps(half, b1[p], _mm256_sub_ps(_mm256_broadcast_ss(c), b2[p]));
    }
}

static inline void series_some(const float *x, const float *c, int64_t terms, float *y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = series(x[i], c, terms);
}

#endif
