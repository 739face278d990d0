/* baseline - point by point. */
#include "tests/problems/blur/blur.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t h = c->param[HEIGHT], w = c->param[WIDTH];
    float *y = c->tensor[Y];

    for (int64_t i = 0; i < h; i++)
        for (int64_t j = 0; j < w; j++)
            y[i * w + j] = blur_at(c->tensor[X], h, w, i, j);
    return AISP_OK;
}

AISP_DECLARE("idea: the definition");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
