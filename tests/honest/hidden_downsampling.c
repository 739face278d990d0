/* hidden_downsampling - two rows and two columns at a time as well, each point for itself.
 *
 * @problem blur
 * @pairs 2 */
#include "tests/problems/blur/blur.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t h = c->param[HEIGHT], w = c->param[WIDTH];
    float *y = c->tensor[Y];

    for (int64_t i = 0; i < h; i += 2)
        for (int64_t j = 0; j < w; j += 2)
            for (int64_t k = 0; k < 4; k++)
                if (i + k / 2 < h && j + k % 2 < w)
                    y[(i + k / 2) * w + j + k % 2] = blur_at(c->tensor[X], h, w, i + k / 2, j + k % 2);
    return AISP_OK;
}

AISP_DECLARE("idea: tiles of two by two");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
