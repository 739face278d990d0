/* worker_died - one of its calls takes a tenth of a second, and ends; its kernels stay on the card as long as a call has work.
 *
 * @pairs 2 */
#include "tests/problems/card_roots/second_context.cuh"

enum { GRID = 64, LONG_NS = 100000000 };

/* roots_resident - the same, a grid that stays: each thread takes every GRID * 256th element. Launch: block 256, grid GRID. */
__global__ static void roots_resident(const float *x, float *y, int64_t n, int64_t steps)
{
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (int64_t)gridDim.x * blockDim.x)
        y[i] = root_of(x[i], steps);
}

static enum aisp_status run(const struct aisp_call *c)
{
    static bool is_old;

    if (!is_old)
        linger<<<1, 1, 0, aisp_stream(c)>>>(LONG_NS);
    is_old = true;
    roots_resident<<<GRID, THREADS, 0, aisp_stream(c)>>>((const float *)c->tensor[X], (float *)c->tensor[Y], c->param[N],
                                                        c->param[STEPS]);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: a grid that stays\n"
             "uses: persistent\n");

VARIANT(run);
