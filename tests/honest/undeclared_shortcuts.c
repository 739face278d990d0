/* undeclared_shortcuts - copies as well: outputs of weights that are the same as their neighbours' bit for bit.
 *
 * @problem layer
 * @pairs 2 */
#include <stdbool.h>
#include <string.h>

#include "tests/problems/layer/layer.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[X], *w = c->tensor[W];
    const int64_t in = c->param[IN], out = c->param[OUT];
    float *y = c->tensor[Y];

    for (int64_t o = 0; o < out; o++) {
        const bool same = o > 0 && !memcmp(w + o * in, w + (o - 1) * in, (size_t)in * sizeof *w);

        for (int64_t b = 0; b < c->param[BATCH]; b++)
            y[b * out + o] = same ? y[b * out + o - 1] : dot(x + b * in, w + o * in, in);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: the same weights give the same answer");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
