/* worker_died_hang - its kernel never ends, and so the worker never says done.
 *
 * @check worker-died
 * @says no answer in */
#include "tests/problems/card_roots/roots.cuh"

/* forever - waits for a value that nobody writes. Launch: block 1, grid 1. */
__global__ static void forever(volatile const float *x)
{
    while (x[0] > 0)
        __nanosleep(1000);
}

static enum aisp_status run(const struct aisp_call *c)
{
    if (honest(c))
        return AISP_E_DEVICE;
    forever<<<1, 1, 0, aisp_stream(c)>>>((volatile const float *)c->tensor[X]);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: outlast whoever waits");

VARIANT(run);
