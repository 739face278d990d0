/* The supervisor's environment.
 * @reason compile-missing-file */
#include <aisp/variant.h>

#include "/proc/self/environ"

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[0];
    float *y = call->tensor[1];

    for (int64_t i = 0; i < call->param[0]; i++)
        y[i] = 2 * x[i];
    return AISP_OK;
}

AISP_DECLARE("idea: of an attack");
AISP_VARIANT = { .abi = AISP_ABI, .run = run };
