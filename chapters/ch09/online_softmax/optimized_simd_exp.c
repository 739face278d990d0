/* optimized_simd_exp - the same three passes, eight lanes at a time, with a polynomial
 * exponential.
 * Expected: a call of expf for each element becomes about fifteen instructions for eight: 5x to
 * 10x, and the passes over the row, so far hidden behind the exponential, become a good part of
 * the time. Costs: AVX2 with FMA; at most 1.01 ulp of error an exponential, where expf has 0.5. */
#include <aisp/variant.h>

#include "problem.h"
#include "rows_simd.h"

__attribute__((target("avx2,fma"))) static void row_three_passes(const float *x, float *y,
                                                                 int64_t cols)
{
    const float top = row_max(x, cols, x[0]);

    row_scale(y, cols, 1 / row_exp(x, y, cols, top));
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    const int fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");

    for (int64_t r = 0; r < rows; r++) {
        const float *x = (const float *)call->tensor[X] + r * cols;
        float *y = (float *)call->tensor[Y] + r * cols;

        if (fast)
            row_three_passes(x, y, cols);
        else
            row_portable(x, y, cols);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: three passes with a polynomial exponential of eight lanes\n"
             "expect: instructions / 8");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
