/* optimized_table - a register holds 2^(j/16) for the sixteen j: n is x / ln 2 in steps of a sixteenth, so that r is sixteen
 * times smaller and the polynomial ends at the third power. The number that rounds, added and taken away, leaves j in the
 * last bits of the sum, and scalef takes the whole part of n by itself.
 * Expected: 12 arithmetic operations for sixteen elements where optimized_avx512 has 16 (its rounding and its scaling are two
 * each): 1.3x, if both vector ports are kept busy. Special cases cost one of them: r is held small, whatever x is, and n, not
 * r, carries infinities and NaN into the result.
 * Costs: AVX-512F and DQ (elsewhere this is optimized_avx2); a constant with a trick in it.
 * Error: at most 1.07 ulp. The sixteen exponentials are in kit/exp16.h. */
#include <aisp/variant.h>

#include "exp_avx2.h"
#include "kit/exp16.h"
#include "problem.h"

enum { LANES = 16 };

__attribute__((target("avx512f,avx512dq"))) static void all_avx512(const float *x, float *y, int64_t n)
{
    int64_t i = 0;

#pragma GCC unroll 4 /* side by side in the window of instructions */
    for (; i + LANES <= n; i += LANES)
        _mm512_storeu_ps(y + i, exp16(_mm512_loadu_ps(x + i)));
    if (i < n) {
        const __mmask16 rest = (__mmask16)((1u << (n - i)) - 1);

        _mm512_mask_storeu_ps(y + i, rest, exp16(_mm512_maskz_loadu_ps(rest, x + i)));
    }
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

    if (has_exp16())
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
