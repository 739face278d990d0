/* nested.cuh - the roots by a kernel that a kernel launches. */
#ifndef TESTS_PROBLEMS_NESTED_H
#define TESTS_PROBLEMS_NESTED_H

#include "tests/problems/card_roots/roots.cuh"

/* parent - launches roots on x, y (n) and does not wait: a kernel is not over before its children are. Launch: block 1, grid 1. */
__global__ static void parent(const float *x, float *y, int64_t n, int64_t steps)
{
    roots<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, cudaStreamFireAndForget>>>(x, y, n, steps);
}

static enum aisp_status run_nested(const struct aisp_call *c)
{
    parent<<<1, 1, 0, aisp_stream(c)>>>((const float *)c->tensor[X], (float *)c->tensor[Y], c->param[N], c->param[STEPS]);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

#endif
