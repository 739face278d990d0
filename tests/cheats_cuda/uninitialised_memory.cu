/* uninitialised_memory - adds to sums in memory of its own, which it takes to be zero: true for the first call.
 *
 * @problem layer
 * @defence COMPARE_OUTPUTS
 * @needs SAME_AGAIN
 * @says gave other outputs */
#include "tests/problems/layer/layer.cuh"

static float *sums;

/* add - sums += x w', y = sums. Launch: block 128, grid ceil(batch*out/128). */
__global__ static void add(const float *x, const float *w, float *sums, float *y, struct shape s)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < s.batch * s.out)
        y[i] = sums[i] += dot(x + i / s.out * s.in, w + i % s.out * s.in, s.in);
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    const size_t bytes = (size_t)(s->param[BATCH] * s->param[OUT]) * sizeof *sums;

    AISP_CUDA(cudaMalloc((void **)&sums, bytes));
    AISP_CUDA(cudaMemsetAsync(sums, 0, bytes, (cudaStream_t)s->stream));
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const struct shape s = shape_of(c);

    add<<<aisp_blocks(s.batch * s.out, THREADS), THREADS, 0, aisp_stream(c)>>>((const float *)c->tensor[X],
                                                                              (const float *)c->tensor[W], sums,
                                                                              (float *)c->tensor[Y], s);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: memory is zero");

VARIANT_WITH_SETUP(setup, run);
