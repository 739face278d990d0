/* lanes.h - the sum over eight lanes. */
#ifndef FP4_WEIGHTS_LANES_H
#define FP4_WEIGHTS_LANES_H

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,fma"), always_inline)) static inline

enum { LANES = 8 };

AVX2 float lanes_sum(__m256 v)
{
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));

    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    s = _mm_add_ss(s, _mm_shuffle_ps(s, s, 1));
    return _mm_cvtss_f32(s);
}

#endif
