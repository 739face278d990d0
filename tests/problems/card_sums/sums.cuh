/* sums.cuh - y[r] = the sum of row r, a warp a row: all is read once and little is written, so that what a call costs is where its
 * rows lie. */
#ifndef TESTS_PROBLEMS_CARD_SUMS_H
#define TESTS_PROBLEMS_CARD_SUMS_H

#include <aisp/kernel_kit.cuh>

enum { X, Y };
enum { N };
enum { WIDE = 1024, WARP = 32, THREADS = 256, MOST_SLOTS = 64 };

/* sums - y[r] = sum of x[r, 0 .. WIDE) for r < n.
 * x (n, WIDE), y (n): f32, device, no overlap; n >= 1. Launch: block 256, grid ceil(32*n/256).
 * Cost: WIDE*n flop, 4*(WIDE + 1)*n bytes. Error: 36 u |y|, u = 2^-24: 31 additions of a lane, 5 of the warp; all x > 0. */
__global__ static void __attribute__((unused)) sums(const float *x, float *y, int64_t n)
{
    const int64_t row = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / WARP;
    const int lane = threadIdx.x % WARP;
    float sum = 0;

    if (row >= n)
        return;
    for (int i = lane; i < WIDE; i += WARP)
        sum += x[row * WIDE + i];
    for (int apart = WARP / 2; apart; apart /= 2)
        sum += __shfl_down_sync(~0u, sum, apart);
    if (lane == 0)
        y[row] = sum;
}

/* touch - the first word of each line of x[0 .. bytes), and no result: what it stores is below zero, which no word is. */
__global__ static void __attribute__((unused)) touch(const float *x, float *nowhere, int64_t bytes)
{
    enum { LINE = 32 };
    const int64_t i = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) * LINE;

    if (i * (int64_t)sizeof *x < bytes && x[i] < 0)
        nowhere[0] = x[i];
}

static inline enum aisp_status honest(const struct aisp_call *c)
{
    sums<<<aisp_blocks(c->param[N] * WARP, THREADS), THREADS, 0, aisp_stream(c)>>>((const float *)c->tensor[X],
                                                                                  (float *)c->tensor[Y], c->param[N]);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

#define VARIANT(f) AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = NULL, .run = f, .teardown = NULL }
#define VARIANT_WITH_SETUP(s, f) AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = s, .run = f, .teardown = NULL }

#endif
