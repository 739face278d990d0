/* optimized_avx2 - 32 weights at a time: 16 bytes are cut into nibbles, a shuffle looks up nibble - 8, and they are widened
 * to eight lanes of f32.
 * Expected: about 24 instructions for 32 weights instead of some 6 for each: 5 to 8x over optimized_group_sums. That is 2 to
 * 3 bytes of weights a cycle, still below what a third-level cache delivers, near what memory gives to one core.
 * Costs: AVX2 with FMA. */
#include <aisp/variant.h>

#include "row_avx2.h"

__attribute__((target("avx2,fma"))) static void all_avx2(const uint8_t *w, const float *scale, const float *x, float *y,
                                                         const int64_t *param)
{
    const int64_t cols = param[COLS];

    for (int64_t r = 0; r < param[ROWS]; r++)
        y[r] = row_avx2(w + r * cols / 2, scale + r * cols / GROUP, x, cols);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const uint8_t *w = call->tensor[W];
    const float *scale = call->tensor[SCALE], *x = call->tensor[X];
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    float *y = call->tensor[Y];

    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        all_avx2(w, scale, x, y, call->param);
        return AISP_OK;
    }
    for (int64_t r = 0; r < rows; r++)
        y[r] = row_portable(w + r * cols / 2, scale + r * cols / GROUP, x, cols);
    return AISP_OK;
}

AISP_DECLARE("idea: 32 nibbles at a time through a shuffle and two widenings\n"
             "expect: instructions / 15");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
