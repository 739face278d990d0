/* reference - sums of rows in f64: one block a row, a tree over its threads. */
#include <aisp/kernel_kit.cuh>
#include <aisp/reference.h>

#include "problem.h"

enum { THREADS = 256 };

__global__ static void sum_rows(const float *x, int64_t cols, int64_t first, double *to)
{
    __shared__ double sums[THREADS];
    const float *row = x + (first + blockIdx.x) * cols;
    double sum = 0;

    for (int64_t c = threadIdx.x; c < cols; c += THREADS)
        sum += row[c];
    sums[threadIdx.x] = sum;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        to[blockIdx.x] = sums[0];
}

static enum aisp_status rows(const struct aisp_device_view *in, int out, int64_t first, int64_t n, void *to)
{
    (void)out;
    sum_rows<<<(unsigned)n, THREADS, 0, (cudaStream_t)in->stream>>>((const float *)in->tensor[X], in->param[COLS], first,
                                                                    (double *)to);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_REFERENCE = { .abi = AISP_ABI, .rows = rows };
