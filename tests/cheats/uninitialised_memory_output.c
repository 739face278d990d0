/* uninitialised_memory_output - lets what another element of the output held before into the answer.
 *
 * @check uninitialised-memory
 * @problem layer
 * @defence COMPARE_OUTPUTS
 * @needs POISON_OUTPUTS
 * @says carry the poison */
#include "tests/problems/layer/layer.h"

static enum aisp_status run(const struct aisp_call *c)
{
    float *y = c->tensor[Y];
    const float before = y[c->param[BATCH] * c->param[OUT] - 1];

    layer(c, c->tensor[X], c->tensor[W], 0, c->param[BATCH]);
    if (!(before > -1e6f && before < 1e6f))
        y[0] += before;
    return AISP_OK;
}

AISP_DECLARE("idea: what was there will do");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
