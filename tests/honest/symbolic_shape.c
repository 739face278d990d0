/* symbolic_shape - has a path for whole blocks and one for what is left over, and takes them at every size.
 *
 * @pairs 12 */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t n = c->param[N], whole = n - n % 64;

    newton(c->tensor[X], c->tensor[Y], whole, 12);
    newton((const float *)c->tensor[X] + whole, (float *)c->tensor[Y] + whole, n - whole, 12);
    return AISP_OK;
}

AISP_DECLARE("idea: blocks, and a path of its own for the rest");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
