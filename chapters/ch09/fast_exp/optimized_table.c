/* optimized_table - a register holds 2^(j/16) for the sixteen j: n is x / ln 2 in steps of a sixteenth, so that r is sixteen
 * times smaller and the polynomial ends at the third power. The number that rounds, added and taken away, leaves j in the
 * last bits of the sum, and scalef takes the whole part of n by itself.
 * Expected: 12 arithmetic operations for sixteen elements where optimized_avx512 has 16 (its rounding and its scaling are two
 * each): 1.3x, if both vector ports are kept busy. Special cases cost one of them: r is held small, whatever x is, and n, not
 * r, carries infinities and NaN into the result.
 * Costs: AVX-512F and DQ (elsewhere this is optimized_avx2); a constant with a trick in it.
 * Error: at most 1.07 ulp, of one in 23 of all arguments, compared: half a unit each for 2^(j/16) and the result; the
 * polynomial leaves 2^-27. */
#include <aisp/variant.h>

#include "exp_avx2.h"
#include "problem.h"

enum { SIDE_BY_SIDE = 4, LANES = 16, STEP = SIDE_BY_SIDE * LANES };

#define EACH for (int k = 0; k < SIDE_BY_SIDE; k++)
#define AVX512 __attribute__((target("avx512f,avx512dq"), always_inline)) static inline

/* Neighbours of this number are a sixteenth apart. */
#define SIXTEENTHS 0x1.8p19f
#define LN2 0x1.62e43p-1f
#define LN2_BELOW -0x1.05c61p-29f
/* Beyond every |r|, which is ln(2)/32 and the rounding of n; finite is what matters. */
#define LARGEST 0x1p-5f
#define SMALLER_SIZE_OWN_SIGN 2

static const float power[LANES] = {
    0x1.000000p+0f, 0x1.0b5586p+0f, 0x1.172b84p+0f, 0x1.2387a6p+0f, 0x1.306fe0p+0f, 0x1.3dea64p+0f, 0x1.4bfdaep+0f, 0x1.5ab07ep+0f,
    0x1.6a09e6p+0f, 0x1.7a1148p+0f, 0x1.8ace54p+0f, 0x1.9c4918p+0f, 0x1.ae89fap+0f, 0x1.c199bep+0f, 0x1.d5818ep+0f, 0x1.ea4afap+0f,
};

/* SIDE_BY_SIDE vectors, of which the lanes in `there` are read and written. */
AVX512 void exp_staged(const float *x, float *y, const __mmask16 *there)
{
    const __m512 table = _mm512_loadu_ps(power);
    __m512 n[SIDE_BY_SIDE], r[SIDE_BY_SIDE], q[SIDE_BY_SIDE], t[SIDE_BY_SIDE];

    EACH r[k] = _mm512_maskz_loadu_ps(there[k], x + k * LANES);
    EACH n[k] = _mm512_fmadd_ps(r[k], _mm512_set1_ps(LOG2E), _mm512_set1_ps(SIXTEENTHS));
    EACH t[k] = _mm512_permutexvar_ps(_mm512_castps_si512(n[k]), table);
    EACH n[k] = _mm512_sub_ps(n[k], _mm512_set1_ps(SIXTEENTHS));
    EACH r[k] = _mm512_fnmadd_ps(n[k], _mm512_set1_ps(LN2), r[k]);
    EACH r[k] = _mm512_fnmadd_ps(n[k], _mm512_set1_ps(LN2_BELOW), r[k]);
    EACH r[k] = _mm512_range_ps(r[k], _mm512_set1_ps(LARGEST), SMALLER_SIZE_OWN_SIGN);
    EACH q[k] = _mm512_fmadd_ps(r[k], _mm512_set1_ps(1.0f / 6), _mm512_set1_ps(0.5f));
    EACH q[k] = _mm512_fmadd_ps(_mm512_mul_ps(r[k], r[k]), q[k], r[k]);
    EACH q[k] = _mm512_fmadd_ps(t[k], q[k], t[k]);
    EACH _mm512_mask_storeu_ps(y + k * LANES, there[k], _mm512_scalef_ps(q[k], n[k]));
}

__attribute__((target("avx512f,avx512dq"))) static void all_avx512(const float *x, float *y, int64_t n)
{
    const __mmask16 all[SIDE_BY_SIDE] = { 0xffff, 0xffff, 0xffff, 0xffff };
    __mmask16 rest[SIDE_BY_SIDE];
    int64_t i = 0;

    for (; i + STEP <= n; i += STEP)
        exp_staged(x + i, y + i, all);
    EACH {
        const int64_t left = n - i - k * LANES;

        rest[k] = (__mmask16)(left <= 0 ? 0 : left < LANES ? (1u << left) - 1 : 0xffff);
    }
    if (i < n)
        exp_staged(x + i, y + i, rest);
}

__attribute__((target("avx2,fma"))) static void all_avx2(const float *x, float *y, int64_t n)
{
    exp_avx2(x, y, n);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X];
    float *y = call->tensor[Y];
    const int64_t n = call->param[N];

    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        all_avx512(x, y, n);
    else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        all_avx2(x, y, n);
    else
        exp_portable(x, y, n);
    return AISP_OK;
}

AISP_DECLARE("idea: sixteen powers of 2 in a register, a polynomial of the third power (AVX-512)\n"
             "expect: instructions / 35 where there is AVX-512");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
