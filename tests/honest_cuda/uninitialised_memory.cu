/* uninitialised_memory - adds to sums in memory of its own as well, halves of a dot product, and clears them before.
 *
 * @problem layer
 * @pairs 2 */
#include "tests/problems/layer/layer.cuh"

static float *sums;

/* add_half - sums += half of x w', the second if blockIdx.y is 1. Launch: block 128, grid (ceil(batch*out/128), 2). */
__global__ static void add_half(const float *x, const float *w, float *sums, struct shape s)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, half = s.in / 2, from = blockIdx.y * half;

    if (i < s.batch * s.out)
        atomicAdd(&sums[i], dot(x + i / s.out * s.in + from, w + i % s.out * s.in + from, blockIdx.y ? s.in - half : half));
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    AISP_CUDA(cudaMalloc((void **)&sums, (size_t)(s->param[BATCH] * s->param[OUT]) * sizeof *sums));
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const struct shape s = shape_of(c);
    const size_t bytes = (size_t)(s.batch * s.out) * sizeof *sums;
    const dim3 grid(aisp_blocks(s.batch * s.out, THREADS), 2);

    AISP_CUDA(cudaMemsetAsync(sums, 0, bytes, aisp_stream(c)));
    add_half<<<grid, THREADS, 0, aisp_stream(c)>>>((const float *)c->tensor[X], (const float *)c->tensor[W], sums, s);
    AISP_CUDA(cudaGetLastError());
    AISP_CUDA(cudaMemcpyAsync(c->tensor[Y], sums, bytes, cudaMemcpyDeviceToDevice, aisp_stream(c)));
    return AISP_OK;
}

AISP_DECLARE("idea: two halves added by atomics\n"
             "uses: atomics-order\n");

VARIANT_WITH_SETUP(setup, run);
