/* reference - rows of y: row c is column c of x. */
#include <aisp/kernel_kit.cuh>
#include <aisp/reference.h>

#include "problem.h"

enum { THREADS = 256 };

__global__ static void columns(const float *x, int64_t rows, int64_t cols, int64_t first, int64_t n, double *to)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < n * rows)
        to[i] = x[i % rows * cols + first + i / rows];
}

static enum aisp_status rows(const struct aisp_device_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t rows = in->param[ROWS];

    (void)out;
    columns<<<aisp_blocks(n * rows, THREADS), THREADS, 0, (cudaStream_t)in->stream>>>((const float *)in->tensor[X], rows,
                                                                                      in->param[COLS], first, n, (double *)to);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_REFERENCE = { .abi = AISP_ABI, .rows = rows };
