/* optimized_fma - the scalar multiply-add at its best: both matrices widened to f32 once, and 6x16
 * tiles of c held in AVX2 registers while k runs.
 * Expected: two fused multiply-adds of 8 lanes a cycle are the limit, 32 flop, where the baseline
 * widens b anew for each row of a and loads and stores c for each product, at most 4 lanes at a
 * time; 4x to 6x where c and b are in L1 and L2, more beyond. No arrangement of this unit goes
 * further than its rate.
 * Costs: scratch for both matrices in f32. */
#include <aisp/variant.h>

#include "widened.h"

static enum aisp_status run(const struct aisp_call *call)
{
    widened_multiply(call);
    return AISP_OK;
}

AISP_DECLARE("idea: inputs widened once, 6x16 tiles of c in registers, f32 multiply-adds\n"
             "expect: instructions / 12");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = widened_workspace, .run = run };
