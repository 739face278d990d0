/* programmatic - two kernels, of which the second may begin before the first has ended, and waits for it. */
#include "tests/problems/card_roots/roots.cuh"

/* roots_behind - y[i] = 1 / sqrt(x[i]) for from <= i < n, once the kernel before is over. Launch: block 256, grid ceil((n-from)/256). */
__global__ static void roots_behind(const float *x, float *y, int64_t from, int64_t n, int64_t steps)
{
    const int64_t i = from + (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
    if (i < n)
        y[i] = root_of(x[i], steps);
}

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t n = c->param[N], half = n / 2;
    cudaLaunchAttribute attribute = {};
    cudaLaunchConfig_t config = {};

    if (honest_part(c, aisp_stream(c), 0, half))
        return AISP_E_DEVICE;
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = dim3(aisp_blocks(n - half, THREADS));
    config.blockDim = dim3(THREADS);
    config.stream = aisp_stream(c);
    config.attrs = &attribute;
    config.numAttrs = 1;
    AISP_CUDA(cudaLaunchKernelEx(&config, roots_behind, (const float *)c->tensor[X], (float *)c->tensor[Y], half, n, c->param[STEPS]));
    return AISP_OK;
}

AISP_DECLARE("idea: a dependent launch");

VARIANT(run);
