/* refused_read_only - stores into its input: mapped read-only, it faults, and the call that did it has no result. Where it may, the
 * store changes nothing, for it is what was there.
 *
 * @check refused
 * @defence READ_ONLY_INPUTS
 * @says returned */
#include "tests/problems/card_roots/roots.cuh"

/* touch - x[0] = x[0]. Launch: block 1, grid 1. */
__global__ static void touch(volatile float *x)
{
    x[0] = x[0];
}

static enum aisp_status run(const struct aisp_call *c)
{
    touch<<<1, 1, 0, aisp_stream(c)>>>((volatile float *)c->tensor[X]);
    AISP_CUDA(cudaGetLastError());
    return honest(c);
}

AISP_DECLARE("idea: write where one may only read");

VARIANT(run);
