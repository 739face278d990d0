/* optimized_together - all three changes at once.
 * Expected: what each saves is saved once, for they touch different work. Alone they gain 1.5x, 1.15x and 1.6x; the product
 * of these, 2.7x, is not what to expect, but the sum of the times: 0.32 + 0.14 + 0.38 = 0.84 are saved and 0.16 stay: 5 to
 * 6x.
 * Costs: those of all three. */
#include "fast.h"

static const struct operations operations = { multiply_fast, attend_fast, activate_fast };

static enum aisp_status run(const struct aisp_call *call)
{
    return run_block(call, &operations);
}

AISP_DECLARE("idea: all three changes\n"
             "expect: time / 5.5");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = block_workspace, .run = run };
