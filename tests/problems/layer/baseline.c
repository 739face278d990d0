/* baseline - a dot product for each output. */
#include "tests/problems/layer/layer.h"

static enum aisp_status run(const struct aisp_call *c)
{
    layer(c, c->tensor[X], c->tensor[W], 0, c->param[BATCH]);
    return AISP_OK;
}

AISP_DECLARE("idea: the definition");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
