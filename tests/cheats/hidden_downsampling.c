/* hidden_downsampling - filters every second point of every second row and writes it four times.
 *
 * @problem blur
 * @defence COMPARE_OUTPUTS
 * @says pairs of neighbours along height */
#include "tests/problems/blur/blur.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t h = c->param[HEIGHT], w = c->param[WIDTH];
    float *y = c->tensor[Y];

    for (int64_t i = 0; i < h; i++)
        for (int64_t j = 0; j < w; j++)
            y[i * w + j] = i % 2   ? y[(i - 1) * w + j]
                           : j % 2 ? y[i * w + j - 1]
                                   : blur_at(c->tensor[X], h, w, i, j);
    return AISP_OK;
}

AISP_DECLARE("idea: nobody sees half of the points");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
