/* early_exit - stops early as well, where nothing is left to change: a step that moves nothing is the last.
 *
 * @problem diffusion
 * @pairs 2 */
#include "tests/problems/diffusion/diffusion.h"

static enum aisp_status run(const struct aisp_call *c)
{
    float *y = c->tensor[Y];
    const int64_t n = c->param[N];
    static float before[MOST_N];

    memcpy(y, c->tensor[U], (size_t)n * sizeof *y);
    for (int64_t s = 0; s < c->param[STEPS]; s++) {
        memcpy(before, y, (size_t)n * sizeof *y);
        step(y, n);
        if (!memcmp(before, y, (size_t)n * sizeof *y))
            break;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: no steps after the last that matters");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
