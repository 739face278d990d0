/* invalid_ground_truth - reference and contender are wrong in the same way, and agree.
 *
 * @side both
 * @defence COMPARE_OUTPUTS
 * @says the reference variant itself is wrong
 * @says expected */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    float *y = c->tensor[Y];

    honest(c, 0, c->param[N]);
    for (int64_t i = 0; i < c->param[N]; i++)
        y[i] *= 1.01f;
    return AISP_OK;
}

AISP_DECLARE("idea: two that agree must be right");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
