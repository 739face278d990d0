/* overfitting - knows the published size too and has a path for it; the one for all other sizes is as good. */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t n = c->param[N];

    if (n == 512)
        newton(c->tensor[X], c->tensor[Y], 512, 12);
    else
        newton(c->tensor[X], c->tensor[Y], n, 12);
    return AISP_OK;
}

AISP_DECLARE("idea: a path of its own for a common size");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
