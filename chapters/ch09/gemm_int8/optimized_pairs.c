/* optimized_pairs - both operands widened to 16 bits once, two along k in a dword; vpmaddwd multiplies a pair with a pair and
 * adds the two products, exactly; a 6 x 16 tile of sums stays in registers.
 * Expected: 16 multiply-adds for two instructions, as many as a fused one of f32 with AVX2, and no load or store of c: 4x to
 * 8x of the baseline.
 * Costs: twice the bytes in the caches; a copy of a as well as of b. vpmaddubsw would take the bytes as they are, and be wrong:
 * its sums of two products saturate at 16 bits.
 * The kernel is in pairs.h. */
#include "pairs.h"

static size_t workspace_bytes(const int64_t *param)
{
    const struct product p = product_of(pick_pairs(), param);

    return product_workspace_bytes(&p);
}

static enum aisp_status run(const struct aisp_call *call)
{
    return multiply(pick_pairs(), call);
}

AISP_DECLARE("idea: operands widened to 16 bits while they are packed, pairs of products summed in one instruction (AVX2)\n"
             "expect: instructions / 4");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
