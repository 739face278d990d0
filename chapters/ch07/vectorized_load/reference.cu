/* reference - one thread for each row, from behind: the last one that is seen is the first one. */
#include <aisp/kernel_kit.cuh>
#include <aisp/reference.h>

#include "problem.h"

enum { THREADS = 64 };

__global__ static void find(const uint8_t *x, int64_t cols, int64_t first, int64_t n, int64_t *to)
{
    const int64_t r = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    int64_t found = cols;

    if (r >= n)
        return;
    for (int64_t c = cols - 1; c >= 0; c--)
        if (x[(first + r) * cols + c])
            found = c;
    to[r] = found;
}

static enum aisp_status rows(const struct aisp_device_view *in, int out, int64_t first, int64_t n, void *to)
{
    (void)out;
    find<<<aisp_blocks(n, THREADS), THREADS, 0, (cudaStream_t)in->stream>>>(
        (const uint8_t *)in->tensor[X], in->param[COLS], first, n, (int64_t *)to);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_REFERENCE = { .abi = AISP_ABI, .rows = rows };
