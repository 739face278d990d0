/* overfitting - knows the published sizes, is right and quick there, and nowhere else.
 *
 * @defence COMPARE_OUTPUTS
 * @faster
 * @says secret points of the declared range */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t n = c->param[N];

    if (n == 512 || n == 256)
        newton(c->tensor[X], c->tensor[Y], n, 12);
    else
        newton(c->tensor[X], c->tensor[Y], n - n % 4, 2);
    return AISP_OK;
}

AISP_DECLARE("idea: for the sizes that are measured");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
