/* baseline - a kernel that does nothing: what is left is the card's and the harness's. Its output is wrong, and nobody looks. */
#include <aisp/kernel_kit.cuh>

__global__ static void nothing(void)
{
}

static enum aisp_status run(const struct aisp_call *call)
{
    nothing<<<1, 1, 0, aisp_stream(call)>>>();
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: nothing");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = NULL, .run = run, .teardown = NULL };
