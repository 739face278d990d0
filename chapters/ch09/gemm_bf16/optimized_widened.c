/* optimized_widened - widen both operands once for many uses, and keep a tile of sums in registers: 6 x 16, with AVX-512
 *   14 x 32.
 * Expected: the rate of f32 multiply-adds is what is left: with AVX2 3 to 5 times the baseline, whose lanes are 4 wide and
 *   which has a conversion, a load and a store of its sums for each, with AVX-512 twice that.
 * Costs: f32 copies of a block of a and of 1024 columns of b; half of what bf16 saves in bytes is given back in cache.
 * The kernel is in widened.h. */
#include "widened.h"

static size_t workspace_bytes(const int64_t *param)
{
    const struct product p = product_of(pick_widened(), param);

    return product_workspace_bytes(&p);
}

static enum aisp_status run(const struct aisp_call *call)
{
    return multiply(pick_widened(), call);
}

AISP_DECLARE("idea: both operands widened to f32 while they are packed, a tile of 6 x 16 (AVX-512: 14 x 32) sums in registers\n"
             "expect: instructions / 5");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
