/* autotune_variance_device - takes another kernel in every other call.
 *
 * @defence DEVICE_RECORDER
 * @says the choice is not made in setup */
#include "tests/problems/card_roots/roots.cuh"

/* roots_wide - roots, by blocks of 512 threads. Launch: block 512, grid ceil(n/512). */
__global__ static void __launch_bounds__(512) roots_wide(const float *x, float *y, int64_t n, int64_t steps)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = root_of(x[i], steps);
}

static enum aisp_status run(const struct aisp_call *c)
{
    static int n_calls;

    if (n_calls++ % 2)
        return honest(c);
    roots_wide<<<aisp_blocks(c->param[N], 512), 512, 0, aisp_stream(c)>>>((const float *)c->tensor[X], (float *)c->tensor[Y],
                                                                         c->param[N], c->param[STEPS]);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: now this one, now that one");

VARIANT(run);
