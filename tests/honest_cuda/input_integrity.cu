/* input_integrity - reads its inputs through the read-only path, works on a copy that it changes, and stores into nothing else.
 *
 * @pairs 2 */
#include "tests/problems/card_roots/roots.cuh"

static float *copy;

/* roots_in_place - a[i] = 1 / sqrt(a[i]), then y[i] = a[i], i < n. Launch: block 256, grid ceil(n/256). */
__global__ static void roots_in_place(const float *__restrict__ x, float *a, float *y, int64_t n, int64_t steps)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    a[i] = __ldg(&x[i]);
    a[i] = root_of(a[i], steps);
    y[i] = a[i];
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    AISP_CUDA(cudaMalloc((void **)&copy, (size_t)s->param[N] * sizeof *copy));
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    roots_in_place<<<aisp_blocks(c->param[N], THREADS), THREADS, 0, aisp_stream(c)>>>(
        (const float *)c->tensor[X], copy, (float *)c->tensor[Y], c->param[N], c->param[STEPS]);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: a copy to work on");

VARIANT_WITH_SETUP(setup, run);
