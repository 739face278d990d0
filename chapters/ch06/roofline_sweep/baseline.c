/* baseline - Horner's rule for one element after another. */
#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X], *c = call->tensor[C];
    const int64_t terms = call->param[TERMS];
    float *y = call->tensor[Y];

    for (int64_t i = 0; i < call->param[N]; i++) {
        float sum = c[terms];

        for (int64_t k = terms - 1; k >= 0; k--)
            sum = sum * x[i] + c[k];
        y[i] = sum;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: Horner's rule for one element after another");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
