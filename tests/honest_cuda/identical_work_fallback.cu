/* identical_work_fallback - takes the baseline's kernel at all sizes but small ones: it is called identical, and nothing is held
 * against it.
 *
 * @check identical-work
 * @pairs 1 */
#include "tests/problems/card_roots/roots.cuh"

enum { SMALL = 1024 };

/* roots_small - a thread of one warp takes every 32nd element. Launch: block 32, grid 1. */
__global__ static void roots_small(const float *x, float *y, int64_t n, int64_t steps)
{
    for (int64_t i = threadIdx.x; i < n; i += 32)
        y[i] = root_of(x[i], steps);
}

static enum aisp_status run(const struct aisp_call *c)
{
    if (c->param[N] >= SMALL)
        return honest(c);
    roots_small<<<1, 32, 0, aisp_stream(c)>>>((const float *)c->tensor[X], (float *)c->tensor[Y], c->param[N], c->param[STEPS]);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: one warp for what is small");

VARIANT(run);
