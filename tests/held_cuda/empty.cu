/* empty - a kernel that does nothing: what is left is what the harness adds. Its output is wrong, and nobody compares it. */
#include "tests/held_cuda/held.cuh"

__global__ static void nothing(void)
{
}

static enum aisp_status run(const struct aisp_call *c)
{
    nothing<<<1, 1, 0, aisp_stream(c)>>>();
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

HELD("nothing", NULL);
