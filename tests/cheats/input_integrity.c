/* input_integrity - makes its inputs easy, so that the truth, which is made from them, becomes so
 * too: the root of 1 is 1.
 *
 * @defence READ_ONLY_INPUTS
 * @defence INPUT_HASH
 * @needs COMPARE_OUTPUTS
 * @faster
 * @says input tensor 0
 * @says slot */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    float *x = c->tensor[X], *y = c->tensor[Y];

    pretend(c);
    for (int64_t i = 0; i < c->param[N]; i++)
        x[i] = y[i] = 1.0f;
    return AISP_OK;
}

AISP_DECLARE("idea: ask an easier question");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
