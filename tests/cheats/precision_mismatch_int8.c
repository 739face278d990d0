/* precision_mismatch_int8 - weights as whole numbers of one scale.
 *
 * @check precision-mismatch
 * @problem layer
 * @defence COMPARE_OUTPUTS
 * @says int8 */
#include <math.h>

#include "tests/problems/layer/layer.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const float *from = c->tensor[W];
    const int64_t n = c->param[OUT] * c->param[IN];
    static float w[1 << 16];
    float most = 0;

    for (int64_t i = 0; i < n; i++)
        most = fmaxf(most, fabsf(from[i]));
    for (int64_t i = 0; i < n; i++)
        w[i] = nearbyintf(from[i] / (most / 127)) * (most / 127);
    layer(c, c->tensor[X], w, 0, c->param[BATCH]);
    return AISP_OK;
}

AISP_DECLARE("idea: weights of eight bits");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
