/* overfitting_aligned - blocks of eight without a remainder: right for the sizes that are published.
 *
 * @check overfitting
 * @problem layer
 * @defence COMPARE_OUTPUTS */
#include <string.h>

#include "tests/problems/layer/layer.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[X], *w = c->tensor[W];
    const int64_t in = c->param[IN], out = c->param[OUT];
    float *y = c->tensor[Y];

    for (int64_t b = 0; b < c->param[BATCH]; b++)
        for (int64_t o = 0; o < out; o++)
            y[b * out + o] = dot(x + b * in, w + o * in, in / 8 * 8);
    return AISP_OK;
}

AISP_DECLARE("idea: no remainders");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
