/* optimized_multiply_attention - matrix products in register tiles, and attention in vectors; the activation stays.
 * Expected: what each saves is saved, for they touch different work: 0.32 + 0.14 = 0.46 of the time, so 1.85x, where the product
 * of 1.5x and 1.15x is 1.7x.
 * Costs: those of both. */
#include "fast.h"

static const struct operations operations = { multiply_fast, attend_fast, activate_plain };

static enum aisp_status run(const struct aisp_call *call)
{
    return run_block(call, &operations);
}

AISP_DECLARE("idea: products and attention together\n"
             "expect: time / 1.85");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = block_workspace, .run = run };
