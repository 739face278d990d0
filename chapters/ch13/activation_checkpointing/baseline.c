/* baseline - what the way back will ask for is kept: h and a of every layer, as an automatic differentiation does it. */
#include "net.h"

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(param[BATCH] * kept_of(param[LAYERS], param[WIDTH]) + 2 * param[WIDTH]) * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    float *row = call->workspace, *kept = row + 2 * call->param[WIDTH];
    const struct net n = net_of(call, 0, call->param[BATCH], row);

    net_clear(&n);
    net_step(&n, kept);
    return AISP_OK;
}

AISP_DECLARE("idea: all activations are kept for the way back");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
