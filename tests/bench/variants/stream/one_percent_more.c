/* one_percent_more - one pass over x, and the first hundredth of it again: long out of the caches
 * by then. */
#include <aisp/variant.h>

static void pass(const float *x, float *y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = 2.0f * x[i] + 1.0f;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t n = call->param[0] * call->param[1];

    pass(call->tensor[0], call->tensor[1], n);
    pass(call->tensor[0], call->tensor[1], n / 100);
    return AISP_OK;
}

AISP_DECLARE("idea: one pass, as the compiler makes it, and a hundredth of it again");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
