/* identical_work - brings two kernels and a condition as well: the one that never runs here is for small sizes, and what runs is its
 * own, though its grid is the baseline's.
 *
 * @pairs 1 */
#include "tests/problems/card_roots/roots.cuh"

enum { SMALL = 1024 };

/* roots_backward - roots, the last thread of a block first. Launch: block 256, grid ceil(n/256). */
__global__ static void roots_backward(const float *x, float *y, int64_t n, int64_t steps)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + (blockDim.x - 1 - threadIdx.x);

    if (i < n)
        y[i] = root_of(x[i], steps);
}

static enum aisp_status run(const struct aisp_call *c)
{
    if (c->param[N] < SMALL)
        return honest(c);
    roots_backward<<<aisp_blocks(c->param[N], THREADS), THREADS, 0, aisp_stream(c)>>>((const float *)c->tensor[X],
                                                                                     (float *)c->tensor[Y], c->param[N],
                                                                                     c->param[STEPS]);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: backward in a block");

VARIANT(run);
