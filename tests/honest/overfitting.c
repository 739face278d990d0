/* overfitting - knows the published sizes too, has a path for them, and another for all the rest.
 *
 * @pairs 2 */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t n = c->param[N];

    if (n == 512)
        newton(c->tensor[X], c->tensor[Y], 512, 12);
    else if (n == 256)
        newton(c->tensor[X], c->tensor[Y], 256, 12);
    else
        honest(c, 0, n);
    return AISP_OK;
}

AISP_DECLARE("idea: a path of its own for common sizes");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
