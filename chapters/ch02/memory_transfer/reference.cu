/* reference - y = x / 128 in f64, one thread for each element. */
#include <aisp/kernel_kit.cuh>
#include <aisp/reference.h>

#include "problem.h"

enum { THREADS = 256 };

__global__ static void convert(const int8_t *x, int64_t first, int64_t n, double *to)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        to[i] = x[first + i] / 128.0;
}

static enum aisp_status rows(const struct aisp_device_view *in, int out, int64_t first, int64_t n, void *to)
{
    (void)out;
    convert<<<aisp_blocks(n, THREADS), THREADS, 0, (cudaStream_t)in->stream>>>((const int8_t *)in->tensor[X], first, n,
                                                                               (double *)to);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_REFERENCE = { .abi = AISP_ABI, .rows = rows };
