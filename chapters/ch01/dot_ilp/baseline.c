/* baseline - the definition. Each addition waits for the one before it: one element per latency of
 * an addition. */
#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const float *a = call->tensor[A], *b = call->tensor[B];
    float *y = call->tensor[Y];
    const int64_t rows = call->param[ROWS], n = call->param[N];

    for (int64_t r = 0; r < rows; r++) {
        float sum = 0;

        for (int64_t i = 0; i < n; i++)
            sum += a[r * n + i] * b[r * n + i];
        y[r] = sum;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: the definition, one running sum");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
