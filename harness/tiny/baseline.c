/* baseline - one pass over x. A kilobyte in, a kilobyte out. */
#include <aisp/variant.h>

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[0];
    float *y = call->tensor[1];
    const int64_t n = call->param[0] * call->param[1];

    for (int64_t i = 0; i < n; i++)
        y[i] = 2.0f * x[i] + 1.0f;
    return AISP_OK;
}

AISP_DECLARE("idea: one pass, as the compiler makes it");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
