/* reference - the softmax in f64, a block for each row: the maximum, the sum, then each element. */
#include <aisp/kernel_kit.cuh>
#include <aisp/reference.h>

#include "problem.h"

enum { THREADS = 256 };

/* Of all threads of a block, to all of them; one thread goes through them in order. */
__device__ static double of_block(double v, int is_sum, double *shared)
{
    __syncthreads();
    shared[threadIdx.x] = v;
    __syncthreads();
    v = shared[0];
    for (int t = 1; t < THREADS; t++)
        v = is_sum ? v + shared[t] : fmax(v, shared[t]);
    return v;
}

__global__ static void softmax(const float *x, int64_t first, int64_t cols, double *to)
{
    __shared__ double shared[THREADS];
    double max, sum = 0;

    x += (first + blockIdx.x) * cols;
    to += (int64_t)blockIdx.x * cols;
    max = x[0];
    for (int64_t c = threadIdx.x; c < cols; c += THREADS)
        max = fmax(max, (double)x[c]);
    max = of_block(max, 0, shared);
    for (int64_t c = threadIdx.x; c < cols; c += THREADS)
        sum += exp(x[c] - max);
    sum = of_block(sum, 1, shared);
    for (int64_t c = threadIdx.x; c < cols; c += THREADS)
        to[c] = exp(x[c] - max) / sum;
}

static enum aisp_status rows(const struct aisp_device_view *in, int out, int64_t first, int64_t n, void *to)
{
    (void)out;
    softmax<<<(unsigned)n, THREADS, 0, (cudaStream_t)in->stream>>>((const float *)in->tensor[X], first, in->param[COLS],
                                                                      (double *)to);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_REFERENCE = { .abi = AISP_ABI, .rows = rows };
