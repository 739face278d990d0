/* dtype_mismatch - sums in doubles and writes what was asked for.
 *
 * @problem layer
 * @pairs 2 */
#include "tests/problems/layer/layer.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[X], *w = c->tensor[W];
    const int64_t in = c->param[IN], out = c->param[OUT];
    float *y = c->tensor[Y];

    for (int64_t b = 0; b < c->param[BATCH]; b++)
        for (int64_t o = 0; o < out; o++) {
            double sum = 0;

            for (int64_t i = 0; i < in; i++)
                sum += (double)x[b * in + i] * (double)w[o * in + i];
            *y++ = (float)sum;
        }
    return AISP_OK;
}

AISP_DECLARE("idea: more precise inside");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
