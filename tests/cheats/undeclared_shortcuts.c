/* undeclared_shortcuts - skips every eighth output and copies its neighbour.
 *
 * @problem layer
 * @defence COMPARE_OUTPUTS
 * @says copies of others
 * @says axis 1 */
#include "tests/problems/layer/layer.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[X], *w = c->tensor[W];
    const int64_t in = c->param[IN], out = c->param[OUT];
    float *y = c->tensor[Y];

    for (int64_t b = 0; b < c->param[BATCH]; b++)
        for (int64_t o = 0; o < out; o++)
            y[b * out + o] = o % 8 == 7 ? y[b * out + o - 1] : dot(x + b * in, w + o * in, in);
    return AISP_OK;
}

AISP_DECLARE("idea: neighbours are alike");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
