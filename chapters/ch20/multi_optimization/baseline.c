/* baseline - each operation as it is defined, with loops in an order that the compiler can turn into vectors where it may. */
#include "block.h"

static const struct operations operations = { multiply_plain, attend_plain, activate_plain };

static enum aisp_status run(const struct aisp_call *call)
{
    return run_block(call, &operations);
}

AISP_DECLARE("idea: every operation as it is defined");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = block_workspace, .run = run };
