/* inf - one element of each output overflows.
 *
 * @defence COMPARE_OUTPUTS
 * @says expected */
#include <math.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    ((float *)c->tensor[Y])[c->param[N] / 3] = INFINITY;
    return AISP_OK;
}

AISP_DECLARE("idea: large enough for every comparison");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
