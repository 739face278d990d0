/* managed - managed memory that the host touches before every call, so that its pages fault; not declared. */
#include "tests/problems/card_roots/roots.cuh"

enum { PAGES = 16, WORDS = PAGES * 65536 / 4 };
static float *own;

/* roots_with - y[i] = 1 / sqrt(x[i]); own[i] becomes 1. Launch: block 256, grid ceil(n/256). */
__global__ static void roots_with(const float *x, float *y, float *own, int64_t n, int64_t steps)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = root_of(x[i], steps);
    if (i < WORDS)
        own[i] = 1;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    (void)s;
    AISP_CUDA(cudaMallocManaged((void **)&own, WORDS * sizeof *own));
    return AISP_OK;
}

/* The call before may still run: only cards that let the host touch managed memory meanwhile are asked. */
static enum aisp_status run(const struct aisp_call *c)
{
    AISP_CUDA(cudaStreamSynchronize(aisp_stream(c)));
    for (int i = 0; i < WORDS; i += 1024)
        own[i] = 0;
    roots_with<<<aisp_blocks(c->param[N], THREADS), THREADS, 0, aisp_stream(c)>>>((const float *)c->tensor[X], (float *)c->tensor[Y],
                                                                                  own, c->param[N], c->param[STEPS]);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: managed memory\n"
             "uses: synchronises\n");

VARIANT_WITH_SETUP(setup, run);
