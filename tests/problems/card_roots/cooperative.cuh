/* cooperative.cuh - the roots by one cooperative launch: half of the elements, a barrier of the whole grid, the other half. */
#ifndef TESTS_PROBLEMS_COOPERATIVE_H
#define TESTS_PROBLEMS_COOPERATIVE_H

#include <cooperative_groups.h>

#include "tests/problems/card_roots/roots.cuh"

enum { GRID = 64 };

/* roots_together - y[i] = 1 / sqrt(x[i]), i < n. Launch: cooperative, block 256, grid 64, which fit on any card at once. */
__global__ static void roots_together(const float *x, float *y, int64_t n, int64_t steps)
{
    const int64_t first = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, stride = (int64_t)gridDim.x * blockDim.x;

    for (int64_t i = first; i < n / 2; i += stride)
        y[i] = root_of(x[i], steps);
    cooperative_groups::this_grid().sync();
    for (int64_t i = n / 2 + first; i < n; i += stride)
        y[i] = root_of(x[i], steps);
}

static enum aisp_status run_cooperative(const struct aisp_call *c)
{
    const float *x = (const float *)c->tensor[X];
    float *y = (float *)c->tensor[Y];
    int64_t n = c->param[N], steps = c->param[STEPS];
    void *arguments[] = { &x, &y, &n, &steps };

    AISP_CUDA(cudaLaunchCooperativeKernel((const void *)roots_together, GRID, THREADS, arguments, 0, aisp_stream(c)));
    return AISP_OK;
}

#endif
