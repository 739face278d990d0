/* exp_avx2.h - eight exponentials, and any number of them, for AVX2 with FMA. */
#ifndef FAST_EXP_EXP_AVX2_H
#define FAST_EXP_EXP_AVX2_H

#include <immintrin.h>

#include "coefficients.h"

#define AVX2 __attribute__((target("avx2,fma"), always_inline)) static inline

AVX2 __m256 exp_of_8(__m256 x)
{
    const __m256i bias = _mm256_set1_epi32(127);
    __m256 n, r, q, e;
    __m256i whole, half;

    /* Of a NaN and another these return the second operand. */
    x = _mm256_min_ps(_mm256_set1_ps(HIGHEST), _mm256_max_ps(_mm256_set1_ps(LOWEST), x));
    n = _mm256_round_ps(_mm256_mul_ps(x, _mm256_set1_ps(LOG2E)), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    whole = _mm256_cvtps_epi32(n);
    r = _mm256_fnmadd_ps(n, _mm256_set1_ps(LN2_LOW), _mm256_fnmadd_ps(n, _mm256_set1_ps(LN2_HIGH), x));
    q = _mm256_fmadd_ps(_mm256_set1_ps(Q4), r, _mm256_set1_ps(Q3));
    q = _mm256_fmadd_ps(q, r, _mm256_set1_ps(Q2));
    q = _mm256_fmadd_ps(q, r, _mm256_set1_ps(Q1));
    q = _mm256_fmadd_ps(q, r, _mm256_set1_ps(Q0));
    e = _mm256_add_ps(_mm256_set1_ps(1), _mm256_fmadd_ps(_mm256_mul_ps(r, r), q, r));
    half = _mm256_srai_epi32(whole, 1);
    e = _mm256_mul_ps(e, _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(half, bias), 23)));
    half = _mm256_sub_epi32(whole, half);
    return _mm256_mul_ps(e, _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(half, bias), 23)));
}

AVX2 void exp_avx2(const float *x, float *y, int64_t n)
{
    int64_t i = 0;

    for (; i + 16 <= n; i += 16) {
        const __m256 a = exp_of_8(_mm256_loadu_ps(x + i)), b = exp_of_8(_mm256_loadu_ps(x + i + 8));

        _mm256_storeu_ps(y + i, a);
        _mm256_storeu_ps(y + i + 8, b);
    }
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(y + i, exp_of_8(_mm256_loadu_ps(x + i)));
    for (; i < n; i++)
        y[i] = exp_plain(x[i]);
}

#endif
