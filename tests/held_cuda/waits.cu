/* waits - waits inside run() for what it has launched. */
#include "tests/held_cuda/held.cuh"

static enum aisp_status run(const struct aisp_call *c)
{
    const enum aisp_status st = add_on(c, aisp_stream(c));

    if (!st)
        AISP_CUDA(cudaStreamSynchronize(aisp_stream(c)));
    return st;
}

HELD("one kernel, and wait for it", NULL);
