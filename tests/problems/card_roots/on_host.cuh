/* on_host.cuh - the roots by the host's cores. */
#ifndef TESTS_PROBLEMS_ON_HOST_H
#define TESTS_PROBLEMS_ON_HOST_H

#include <math.h>

#include "tests/problems/card_roots/roots.cuh"

static float *here;

static enum aisp_status open_host(const struct aisp_setup *s)
{
    AISP_CUDA(cudaHostAlloc((void **)&here, (size_t)s->param[N] * sizeof *here, cudaHostAllocDefault));
    return AISP_OK;
}

static enum aisp_status run_on_host(const struct aisp_call *c)
{
    AISP_CUDA(cudaMemcpyAsync(here, c->tensor[X], bytes_of(c), cudaMemcpyDeviceToHost, aisp_stream(c)));
    AISP_CUDA(cudaStreamSynchronize(aisp_stream(c)));
    for (int64_t i = 0; i < c->param[N]; i++)
        here[i] = 1.0f / sqrtf(here[i]);
    AISP_CUDA(cudaMemcpyAsync(c->tensor[Y], here, bytes_of(c), cudaMemcpyHostToDevice, aisp_stream(c)));
    AISP_CUDA(cudaStreamSynchronize(aisp_stream(c)));
    return AISP_OK;
}

#endif
