/* symbolic_shape - right everywhere, and quick at the one size that everybody measures.
 *
 * @pairs 12
 * @says of the gain is there
 * @says secret points */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t n = c->param[N];

    if (n == 512)
        newton(c->tensor[X], c->tensor[Y], n, 12);
    else
        honest(c, 0, n);
    return AISP_OK;
}

AISP_DECLARE("idea: for the size that is measured");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
