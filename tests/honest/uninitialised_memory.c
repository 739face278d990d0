/* uninitialised_memory - sums in scratch memory as well, which it clears first.
 *
 * @problem layer
 * @pairs 2 */
#include <string.h>

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

    memset(sum, 0, workspace_bytes(c->param));
    for (int64_t b = 0; b < c->param[BATCH]; b++)
        for (int64_t o = 0; o < out; o++, sum++)
            *y++ = *sum += dot(x + b * in, w + o * in, in);
    return AISP_OK;
}

AISP_DECLARE("idea: sums apart from the output");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
