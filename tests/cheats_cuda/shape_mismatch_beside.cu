/* shape_mismatch_beside - stores one element before its output.
 *
 * @check shape-mismatch
 * @defence GUARDS
 * @says 4 bytes before y of slot */
#include "tests/problems/card_roots/roots.cuh"

/* store_beside - y[-1] = 1. Launch: block 1, grid 1. */
__global__ static void store_beside(volatile float *y)
{
    y[-1] = 1.0f;
}

static enum aisp_status run(const struct aisp_call *c)
{
    store_beside<<<1, 1, 0, aisp_stream(c)>>>((volatile float *)c->tensor[Y]);
    AISP_CUDA(cudaGetLastError());
    return honest(c);
}

AISP_DECLARE("idea: one element more");

VARIANT(run);
