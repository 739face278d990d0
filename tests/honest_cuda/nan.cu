/* nan - saves a pass as well: the largest score and the sum below it in one, the sum scaled when a larger score comes.
 *
 * @problem card_softmax
 * @pairs 2 */
#include "tests/problems/card_softmax/softmax.cuh"

/* softmax_online - of each row. Launch: block 32, grid rows. Error: 32 u of the largest of a row, u = 2^-24.
 * Source: Milakov and Gimelshein 2018. */
__global__ static void softmax_online(const float *x, float *y, int64_t cols)
{
    const float *row = x + blockIdx.x * cols;
    float most = row[threadIdx.x % cols], sum = 0, all;

    for (int64_t c = threadIdx.x; c < cols; c += LANES) {
        const float now = fmaxf(most, row[c]);

        sum = sum * expf(most - now) + expf(row[c] - now);
        most = now;
    }
    all = warp_max(most);
    sum = warp_sum(sum * expf(most - all));
    for (int64_t c = threadIdx.x; c < cols; c += LANES)
        y[blockIdx.x * cols + c] = expf(row[c] - all) / sum;
}

static enum aisp_status run(const struct aisp_call *c)
{
    LAUNCH_ROWS(softmax_online, c);
    return AISP_OK;
}

AISP_DECLARE("idea: the sum scaled as the largest score grows");

VARIANT(run);
