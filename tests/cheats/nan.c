/* nan - one element of each output is not a number.
 *
 * @defence COMPARE_OUTPUTS
 * @says expected */
#include <math.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    ((float *)c->tensor[Y])[c->param[N] / 3] = NAN;
    return AISP_OK;
}

AISP_DECLARE("idea: what is not a number cannot be wrong");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
