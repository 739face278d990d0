/* peer_memcpy - cudaMemcpyAsync from device to device: what a user would call. */
#include <aisp/kernel_kit.cuh>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const size_t bytes = (size_t)call->param[N] * sizeof(float);

    AISP_CUDA(cudaMemcpyAsync(call->tensor[Y], call->tensor[X], bytes, cudaMemcpyDeviceToDevice, aisp_stream(call)));
    return AISP_OK;
}

AISP_DECLARE("idea: cudaMemcpyAsync of the runtime\n"
             "uses: library");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = NULL, .run = run, .teardown = NULL };
