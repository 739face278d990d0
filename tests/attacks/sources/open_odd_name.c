/* A file whose name is no text: the answer that holds it is one.
 * @reason opened-file */
#include <aisp/variant.h>
#include <stdio.h>

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[0];
    float *y = call->tensor[1];

    fopen("/\377\200\302\033", "r");

    for (int64_t i = 0; i < call->param[0]; i++)
        y[i] = 2 * x[i];
    return AISP_OK;
}

AISP_DECLARE("idea: of an attack");
AISP_VARIANT = { .abi = AISP_ABI, .run = run };
