/* baseline - the first rank does its layer for the whole batch, then the second does its own. */
#include "stage.h"

static enum aisp_status run(const struct aisp_call *call)
{
    return pipeline(call, call->param[BATCH]);
}

AISP_DECLARE("idea: the whole batch through one layer after the other");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
