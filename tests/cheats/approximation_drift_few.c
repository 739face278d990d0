/* approximation_drift_few - one of a thousand outputs is guessed.
 *
 * @check approximation-drift
 * @problem layer
 * @defence COMPARE_OUTPUTS
 * @says value outside tolerance */
#include "tests/problems/layer/layer.h"

static enum aisp_status run(const struct aisp_call *c)
{
    float *y = c->tensor[Y];
    const int64_t n = c->param[BATCH] * c->param[OUT];

    layer(c, c->tensor[X], c->tensor[W], 0, c->param[BATCH]);
    for (int64_t i = 137; i < n; i += 1000)
        y[i] *= 1.01f;
    return AISP_OK;
}

AISP_DECLARE("idea: one of a thousand");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
