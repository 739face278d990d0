/* ways.h - the two ways, for one element and for eight in AVX2. The same operations in the same order in all of them, so
 * that all variants agree to the last bit. */
#ifndef BRANCH_DIVERGENCE_WAYS_H
#define BRANCH_DIVERGENCE_WAYS_H

#include <immintrin.h>
#include <stdint.h>

#include <aisp/variant.h>

#include "problem.h"

enum { LANES = 8, GROUPS = 8 };

#define AVX2 __attribute__((target("avx2,popcnt"), always_inline)) static inline

static inline float short_way(float x, const float *c)
{
    return c[1] * x + c[0];
}

static inline float long_way(float x, const float *c)
{
    float y = c[TERMS - 1];

    for (int k = TERMS - 2; k >= 0; k--)
        y = y * x + c[k];
    return y;
}

AVX2 __m256 short_way8(__m256 x, const float *c)
{
    return _mm256_add_ps(_mm256_mul_ps(_mm256_set1_ps(c[1]), x), _mm256_set1_ps(c[0]));
}

/* Groups of eight side by side: chains that do not wait for each other, and each coefficient is loaded once for all. */
AVX2 void long_way_groups(const __m256 x[GROUPS], const float *c, __m256 y[GROUPS])
{
    __m256 sum[GROUPS];

    for (int g = 0; g < GROUPS; g++)
        sum[g] = _mm256_broadcast_ss(c + TERMS - 1);
    for (int k = TERMS - 2; k >= 0; k--) {
        const __m256 ck = _mm256_broadcast_ss(c + k);

        for (int g = 0; g < GROUPS; g++)
            sum[g] = _mm256_add_ps(_mm256_mul_ps(sum[g], x[g]), ck);
    }
    for (int g = 0; g < GROUPS; g++)
        y[g] = sum[g];
}

/* The definition, for what is left over and for machines without AVX2. */
static inline void both_portable(const float *x, const float *c, float *y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] < HARD_FROM ? short_way(x[i], c) : long_way(x[i], c);
}

static inline int has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
}

#endif
