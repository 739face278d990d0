/* row_sum.h - the pieces that the SIMD rungs share. */
#ifndef REDUCTION_ROW_SUM_H
#define REDUCTION_ROW_SUM_H

#include <immintrin.h>
#include <stdint.h>

/* Four independent sums, for machines without AVX2. */
static inline float row_sum_portable(const float *x, int64_t n)
{
    float s[4] = { 0 };
    int64_t i = 0;

    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            s[k] += x[i + k];
    for (; i < n; i++)
        s[0] += x[i];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

__attribute__((target("avx2"), always_inline)) static inline float lanes_sum(__m256 v)
{
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));

    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    s = _mm_add_ss(s, _mm_shuffle_ps(s, s, 1));
    return _mm_cvtss_f32(s);
}

#endif
