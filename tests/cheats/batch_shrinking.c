/* batch_shrinking - computes half of the batch and hands it out twice.
 *
 * @problem layer
 * @defence COMPARE_OUTPUTS
 * @says 8 of 16 along batch wrong
 * @says copies of others */
#include <string.h>

#include "tests/problems/layer/layer.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t batch = c->param[BATCH], half = (batch + 1) / 2;
    const size_t out = (size_t)c->param[OUT];
    float *y = c->tensor[Y];

    layer(c, c->tensor[X], c->tensor[W], 0, half);
    memcpy(y + (size_t)half * out, y, (size_t)(batch - half) * out * sizeof *y);
    return AISP_OK;
}

AISP_DECLARE("idea: half of the batch stands for all of it");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
