/* nan - does not take the largest score off: right for mild scores, infinite over infinite for large ones.
 *
 * @problem card_softmax
 * @defence PLANTED_CONTENTS
 * @needs COMPARE_OUTPUTS */
#include "tests/problems/card_softmax/softmax.cuh"

/* softmax_bare - of each row whose exponentials f32 holds. Launch: block 32, grid rows. */
__global__ static void softmax_bare(const float *x, float *y, int64_t cols)
{
    softmax_above(x + blockIdx.x * cols, y + blockIdx.x * cols, cols, 0);
}

static enum aisp_status run(const struct aisp_call *c)
{
    LAUNCH_ROWS(softmax_bare, c);
    return AISP_OK;
}

AISP_DECLARE("idea: one pass less");

VARIANT(run);
