/* refused_past_end - stores far past the end of its output, where nothing is mapped: the card's page fault ends its context.
 *
 * @check refused
 * @says returned */
#include "tests/problems/card_roots/roots.cuh"

enum { FAR = 1 << 28 }; /* elements: a GiB, past every mapping of this small problem */

/* store_far - y[FAR] = 1. Launch: block 1, grid 1. */
__global__ static void store_far(volatile float *y)
{
    y[FAR] = 1.0f;
}

static enum aisp_status run(const struct aisp_call *c)
{
    store_far<<<1, 1, 0, aisp_stream(c)>>>((volatile float *)c->tensor[Y]);
    AISP_CUDA(cudaGetLastError());
    return honest(c);
}

AISP_DECLARE("idea: room for more");

VARIANT(run);
