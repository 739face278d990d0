/* exp8.h - an exponential of eight f32. x = n ln 2 + r with |r| <= ln(2)/2; exp(r) = 1 + r +
 * r^2 q(r), q of degree 4 fitted for the smallest largest relative error; 2^n goes into the exponent field. At most 1.01 ulp
 * for -87.3 <= x <= 0, the arguments of a softmax; below that the result is held at the smallest normal number, 1.2e-38. */
#ifndef AISP_KIT_EXP8_H
#define AISP_KIT_EXP8_H

#include "kit/lanes.h"

enum { LANES = 8 };

AVX2 __m256 exp8(__m256 x)
{
    const __m256 log2e = _mm256_set1_ps(0x1.715476p+0f);
    const __m256 ln2_high = _mm256_set1_ps(0x1.62e4p-1f), ln2_low = _mm256_set1_ps(0x1.7f7d1cp-20f);
    __m256 n, r, q, e;

    x = _mm256_max_ps(x, _mm256_set1_ps(-87.33f));
    n = _mm256_round_ps(_mm256_mul_ps(x, log2e), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    r = _mm256_fnmadd_ps(n, ln2_low, _mm256_fnmadd_ps(n, ln2_high, x));
    q = _mm256_fmadd_ps(_mm256_set1_ps(0x1.6a23d0p-10f), r, _mm256_set1_ps(0x1.123a22p-7f));
    q = _mm256_fmadd_ps(q, r, _mm256_set1_ps(0x1.5558f2p-5f));
    q = _mm256_fmadd_ps(q, r, _mm256_set1_ps(0x1.555492p-3f));
    q = _mm256_fmadd_ps(q, r, _mm256_set1_ps(0x1.fffffcp-2f));
    e = _mm256_add_ps(_mm256_set1_ps(1), _mm256_fmadd_ps(_mm256_mul_ps(r, r), q, r));
    return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(e), _mm256_slli_epi32(_mm256_cvtps_epi32(n), 23)));
}

#endif
