/* uninitialised_memory - adds to sums in its scratch memory, which it takes to be zero: true for the first call.
 *
 * @problem layer
 * @defence COMPARE_OUTPUTS
 * @needs SAME_AGAIN
 * @says gave other outputs */
#include "tests/problems/layer/layer.h"

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(param[BATCH] * param[OUT]) * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[X], *w = c->tensor[W];
    const int64_t in = c->param[IN], out = c->param[OUT];
    float *sum = c->workspace, *y = c->tensor[Y];

    for (int64_t b = 0; b < c->param[BATCH]; b++)
        for (int64_t o = 0; o < out; o++, sum++)
            *y++ = *sum += dot(x + b * in, w + o * in, in);
    return AISP_OK;
}

AISP_DECLARE("idea: memory is zero");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
