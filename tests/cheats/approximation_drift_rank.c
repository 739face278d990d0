/* approximation_drift_rank - the weights become a product of one column and one row.
 *
 * @check approximation-drift
 * @problem layer
 * @defence COMPARE_OUTPUTS
 * @says value outside tolerance */
#include "tests/problems/layer/layer.h"

static float flat[1 << 16];

static enum aisp_status setup(const struct aisp_setup *s)
{
    const float *w = s->weight[0];
    const int64_t in = s->param[IN], out = s->param[OUT];

    for (int64_t o = 0; o < out; o++)
        for (int64_t i = 0; i < in; i++)
            flat[o * in + i] = w[o * in] * w[i] / w[0];
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    layer(c, c->tensor[X], flat, 0, c->param[BATCH]);
    return AISP_OK;
}

AISP_DECLARE("idea: weights of rank one");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
