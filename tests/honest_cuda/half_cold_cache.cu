/* half_cold_cache - fetches lines into the cache ahead of its own use as well, but inside of its calls: each warp asks for the row
 * that comes later while it sums its own.
 *
 * @problem card_sums
 * @pairs 2 */
#include "tests/problems/card_sums/sums.cuh"

enum { AHEAD = 4096, LINE = 32 };

/* sums_fetching - sums, with the row AHEAD of it on its way. Launch: block 256, grid ceil(32*n/256). */
__global__ static void sums_fetching(const float *x, float *y, int64_t n)
{
    const int64_t row = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / WARP;
    const int lane = threadIdx.x % WARP;
    float sum = 0;

    if (row >= n)
        return;
    if (row + AHEAD < n)
        asm volatile("prefetch.global.L2 [%0];" : : "l"(x + (row + AHEAD) * WIDE + lane * LINE));
    for (int i = lane; i < WIDE; i += WARP)
        sum += x[row * WIDE + i];
    for (int apart = WARP / 2; apart; apart /= 2)
        sum += __shfl_down_sync(~0u, sum, apart);
    if (lane == 0)
        y[row] = sum;
}

static enum aisp_status run(const struct aisp_call *c)
{
    sums_fetching<<<aisp_blocks(c->param[N] * WARP, THREADS), THREADS, 0, aisp_stream(c)>>>((const float *)c->tensor[X],
                                                                                           (float *)c->tensor[Y], c->param[N]);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: the next rows on their way");

VARIANT(run);
