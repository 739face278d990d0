/* constant_output - writes the mean of all answers everywhere.
 *
 * @defence COMPARE_OUTPUTS
 * @faster
 * @says expected */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    float *y = c->tensor[Y];

    pretend(c);
    for (int64_t i = 0; i < c->param[N]; i++)
        y[i] = 1.035f;
    return AISP_OK;
}

AISP_DECLARE("idea: all answers are about the same");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
