/* baseline - the definition. The compiler makes SIMD code of it, of the width that every x86-64
 * has. */
#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X], *y = call->tensor[Y];
    float *z = call->tensor[Z];

    for (int64_t i = 0; i < call->param[N]; i++)
        z[i] = x[i] + y[i];
    return AISP_OK;
}

AISP_DECLARE("idea: the definition, one loop");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
