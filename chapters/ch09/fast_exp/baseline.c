/* baseline - expf of the C library for each element. */
#include <math.h>

#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X];
    float *y = call->tensor[Y];

    for (int64_t i = 0; i < call->param[N]; i++)
        y[i] = expf(x[i]);
    return AISP_OK;
}

AISP_DECLARE("idea: expf of the C library, element by element");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
