/* cooperative - a launch that takes the whole card, not declared. */
#include "tests/problems/card_roots/roots.cuh"

/* roots_by_few - y[i] = 1 / sqrt(x[i]). Launch: block 256, any grid that fits on the card at once. */
__global__ static void roots_by_few(const float *x, float *y, int64_t n, int64_t steps)
{
    const int64_t each = (int64_t)gridDim.x * blockDim.x;

    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += each)
        y[i] = root_of(x[i], steps);
}

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = (const float *)c->tensor[X];
    float *y = (float *)c->tensor[Y];
    int64_t n = c->param[N], steps = c->param[STEPS];
    void *arguments[] = { &x, &y, &n, &steps };

    AISP_CUDA(cudaLaunchCooperativeKernel((const void *)roots_by_few, dim3(64), dim3(THREADS), arguments, 0, aisp_stream(c)));
    return AISP_OK;
}

AISP_DECLARE("idea: all at once");

VARIANT(run);
