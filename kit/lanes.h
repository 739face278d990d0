/* lanes.h - the sum and the maximum over the eight lanes of a vector. For AVX2 alone: code
 * that has more than that may use them too. */
#ifndef AISP_KIT_LANES_H
#define AISP_KIT_LANES_H

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,fma"), always_inline)) static inline

__attribute__((target("avx2"), always_inline)) static inline float lanes_max(__m256 v)
{
    __m128 m = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));

    m = _mm_max_ps(m, _mm_movehl_ps(m, m));
    m = _mm_max_ss(m, _mm_shuffle_ps(m, m, 1));
    return _mm_cvtss_f32(m);
}

__attribute__((target("avx2"), always_inline)) static inline float lanes_sum(__m256 v)
{
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));

    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    s = _mm_add_ss(s, _mm_shuffle_ps(s, s, 1));
    return _mm_cvtss_f32(s);
}

#endif
