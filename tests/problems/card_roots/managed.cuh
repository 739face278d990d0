/* managed.cuh - the roots by way of managed memory. */
#ifndef TESTS_PROBLEMS_MANAGED_H
#define TESTS_PROBLEMS_MANAGED_H

#include "tests/problems/card_roots/roots.cuh"

static float *between;

static enum aisp_status open_managed(const struct aisp_setup *s)
{
    AISP_CUDA(cudaMallocManaged((void **)&between, (size_t)s->param[N] * sizeof *between, cudaMemAttachGlobal));
    return AISP_OK;
}

static enum aisp_status run_managed(const struct aisp_call *c)
{
    roots<<<aisp_blocks(c->param[N], THREADS), THREADS, 0, aisp_stream(c)>>>((const float *)c->tensor[X], between, c->param[N],
                                                                            c->param[STEPS]);
    AISP_CUDA(cudaGetLastError());
    return give(c, between);
}

#endif
