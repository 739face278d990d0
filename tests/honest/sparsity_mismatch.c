/* sparsity_mismatch - packs the weights in setup as well, and skips those that are zero.
 *
 * @problem layer
 * @pairs 2 */
#include <string.h>

#include "tests/problems/layer/layer.h"

static float packed[1 << 16];

static enum aisp_status setup(const struct aisp_setup *s)
{
    memcpy(packed, s->weight[0], (size_t)(s->param[IN] * s->param[OUT]) * sizeof *packed);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[X];
    const int64_t in = c->param[IN], out = c->param[OUT];
    float *y = c->tensor[Y];

    for (int64_t b = 0; b < c->param[BATCH]; b++)
        for (int64_t o = 0; o < out; o++) {
            float sum = 0;

            for (int64_t i = 0; i < in; i++)
                sum += packed[o * in + i] != 0 ? packed[o * in + i] * x[b * in + i] : 0;
            y[b * out + o] = sum;
        }
    return AISP_OK;
}

AISP_DECLARE("idea: packed once; zeros cost nothing");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
