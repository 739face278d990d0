/* scratch.cuh - a call that takes its memory out of the driver's pool and waits until it has given it back. A pool keeps nothing by
 * itself when it is waited for, so that the next call has to ask the driver; who tells it to keep all has its memory at once. */
#ifndef TESTS_PROBLEMS_CARD_POOL_H
#define TESTS_PROBLEMS_CARD_POOL_H

#include "tests/problems/card_roots/pool.cuh"

static enum aisp_status run_scratch(const struct aisp_call *c)
{
    const enum aisp_status st = run_pool(c);

    if (!st)
        AISP_CUDA(cudaStreamSynchronize(aisp_stream(c)));
    return st;
}

/* 64 MiB lie in the pool from here on, and stay there. */
static inline enum aisp_status fill_pool(void)
{
    enum { FULL_BYTES = 64 << 20 };
    uint64_t most = UINT64_MAX;
    cudaMemPool_t pool;
    void *all;

    AISP_CUDA(cudaDeviceGetDefaultMemPool(&pool, 0));
    AISP_CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most));
    AISP_CUDA(cudaMallocAsync(&all, FULL_BYTES, 0));
    AISP_CUDA(cudaFreeAsync(all, 0));
    AISP_CUDA(cudaDeviceSynchronize());
    return AISP_OK;
}

#endif
