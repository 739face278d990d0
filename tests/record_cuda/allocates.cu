/* allocates - memory out of a pool and from the driver inside of a call, not declared. */
#include "tests/problems/card_roots/roots.cuh"

static enum aisp_status run(const struct aisp_call *c)
{
    void *pooled, *plain;

    AISP_CUDA(cudaMallocAsync(&pooled, bytes_of(c), aisp_stream(c)));
    AISP_CUDA(cudaMalloc(&plain, bytes_of(c)));
    AISP_CUDA(cudaMemsetAsync(pooled, 0, bytes_of(c), aisp_stream(c)));
    if (honest(c))
        return AISP_E_DEVICE;
    AISP_CUDA(cudaMemcpyAsync(pooled, c->tensor[Y], bytes_of(c), cudaMemcpyDeviceToDevice, aisp_stream(c)));
    AISP_CUDA(cudaFree(plain));
    AISP_CUDA(cudaFreeAsync(pooled, aisp_stream(c)));
    return AISP_OK;
}

AISP_DECLARE("idea: memory when it is needed");

VARIANT(run);
