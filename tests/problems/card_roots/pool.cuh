/* pool.cuh - the roots by way of memory out of the driver's pool, taken and given back in stream order. */
#ifndef TESTS_PROBLEMS_POOL_H
#define TESTS_PROBLEMS_POOL_H

#include "tests/problems/card_roots/roots.cuh"

static enum aisp_status run_pool(const struct aisp_call *c)
{
    float *between;

    AISP_CUDA(cudaMallocAsync((void **)&between, bytes_of(c), aisp_stream(c)));
    roots<<<aisp_blocks(c->param[N], THREADS), THREADS, 0, aisp_stream(c)>>>((const float *)c->tensor[X], between, c->param[N],
                                                                            c->param[STEPS]);
    AISP_CUDA(cudaGetLastError());
    if (give(c, between))
        return AISP_E_DEVICE;
    AISP_CUDA(cudaFreeAsync(between, aisp_stream(c)));
    return AISP_OK;
}

#endif
