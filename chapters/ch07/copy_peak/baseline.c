/* baseline - one loop. The compiler makes 16-byte loads and stores of it. */
#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X];
    float *y = call->tensor[Y];

    for (int64_t i = 0; i < call->param[N]; i++)
        y[i] = x[i];
    return AISP_OK;
}

AISP_DECLARE("idea: the definition, one loop");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
