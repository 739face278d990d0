/* reference - h and y in f64, a block for each row: the sum of the squares, then each element. */
#include <aisp/kernel_kit.cuh>
#include <aisp/reference.h>

#include "problem.h"

enum { THREADS = 256 };

struct inputs { const float *x, *r, *g; };

__global__ static void norm(struct inputs in, int out, int64_t first, int64_t cols, double *to)
{
    __shared__ double shared[THREADS];
    const float *x = in.x + (first + blockIdx.x) * cols, *r = in.r + (first + blockIdx.x) * cols;
    double squares = 0, factor;

    to += (int64_t)blockIdx.x * cols;
    for (int64_t c = threadIdx.x; c < cols; c += THREADS)
        squares += ((double)x[c] + r[c]) * ((double)x[c] + r[c]);
    shared[threadIdx.x] = squares;
    __syncthreads();
    squares = 0;
    for (int t = 0; t < THREADS; t++)
        squares += shared[t];
    factor = 1 / sqrt(squares / (double)cols + (double)EPSILON);
    for (int64_t c = threadIdx.x; c < cols; c += THREADS)
        to[c] = ((double)x[c] + r[c]) * (out == Y ? factor * in.g[c] : 1);
}

static enum aisp_status rows(const struct aisp_device_view *in, int out, int64_t first, int64_t n, void *to)
{
    const struct inputs inputs = { (const float *)in->tensor[X], (const float *)in->tensor[R], (const float *)in->tensor[G] };

    norm<<<(unsigned)n, THREADS, 0, (cudaStream_t)in->stream>>>(inputs, out, first, in->param[COLS], (double *)to);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_REFERENCE = { .abi = AISP_ABI, .rows = rows };
