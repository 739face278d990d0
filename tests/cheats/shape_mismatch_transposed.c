/* shape_mismatch_transposed - writes the output by columns.
 *
 * @check shape-mismatch
 * @problem layer
 * @defence COMPARE_OUTPUTS
 * @says dimensions exchanged */
#include "tests/problems/layer/layer.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[X], *w = c->tensor[W];
    const int64_t in = c->param[IN], out = c->param[OUT], batch = c->param[BATCH];
    float *y = c->tensor[Y];

    for (int64_t o = 0; o < out; o++)
        for (int64_t b = 0; b < batch; b++)
            *y++ = dot(x + b * in, w + o * in, in);
    return AISP_OK;
}

AISP_DECLARE("idea: the other order");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
