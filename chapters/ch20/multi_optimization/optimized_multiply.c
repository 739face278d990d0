/* optimized_multiply - matrix products in register tiles of 4 rows by 16 columns; nothing else changes.
 * Expected: a sum is loaded and stored for each product no longer, a product and its sum are one instruction for eight, and
 * eight chains of sums keep two units busy: the products take a fifth of their time. They are two fifths of all: 1.5x.
 * Costs: AVX2 with FMA. */
#include "fast.h"

static const struct operations operations = { multiply_fast, attend_plain, activate_plain };

static enum aisp_status run(const struct aisp_call *call)
{
    return run_block(call, &operations);
}

AISP_DECLARE("idea: matrix products in register tiles\n"
             "expect: instructions / 1.5");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = block_workspace, .run = run };
