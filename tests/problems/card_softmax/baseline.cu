/* baseline - the largest score of a row, the sum of the exponentials below it, the quotients. */
#include "tests/problems/card_softmax/softmax.cuh"

/* softmax - of each row. Launch: block 32, grid rows. Error: 32 u of the largest of a row, u = 2^-24. */
__global__ static void softmax(const float *x, float *y, int64_t cols)
{
    const float *row = x + blockIdx.x * cols;
    float most = row[0];

    for (int64_t c = threadIdx.x; c < cols; c += LANES)
        most = fmaxf(most, row[c]);
    softmax_above(row, y + blockIdx.x * cols, cols, warp_max(most));
}

static enum aisp_status run(const struct aisp_call *c)
{
    LAUNCH_ROWS(softmax, c);
    return AISP_OK;
}

AISP_DECLARE("idea: a row a warp, three passes");

VARIANT(run);
