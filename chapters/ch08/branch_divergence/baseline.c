/* baseline - the definition: a branch for each element. */
#include "ways.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X], *c = call->tensor[C];
    float *y = call->tensor[Y];

    for (int64_t i = 0; i < call->param[N]; i++) {
        if (x[i] < HARD_FROM)
            y[i] = short_way(x[i], c);
        else
            y[i] = long_way(x[i], c);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: the definition, a branch for each element");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
