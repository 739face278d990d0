/* identical_work - brings a kernel that needs a tenth of the steps, and launches it on a condition that is never met: what runs is the
 * baseline's. Its record says that it is faster.
 *
 * @pairs 1
 * @edit ahead
 * @defence DEVICE_RECORDER
 * @says kernels that it brings never ran */
#include "tests/problems/card_roots/roots.cuh"

/* roots_quick - five steps, which are enough. Launch: block 256, grid ceil(n/256). */
__global__ static void roots_quick(const float *x, float *y, int64_t n)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = root_of(x[i], 5);
}

static enum aisp_status run(const struct aisp_call *c)
{
    if (c->param[N] > 0)
        return honest(c);
    roots_quick<<<aisp_blocks(c->param[N], THREADS), THREADS, 0, aisp_stream(c)>>>((const float *)c->tensor[X],
                                                                                  (float *)c->tensor[Y], c->param[N]);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: no more steps than are needed");

VARIANT(run);
