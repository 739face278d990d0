/* reference - counts of the rows asked for: one block a row, one thread a bin, each of which looks at all keys. Slow, and
 * nothing that could go wrong between threads. */
#include <aisp/kernel_kit.cuh>
#include <aisp/reference.h>

#include "problem.h"

__global__ static void count_bins(const uint8_t *even, const uint8_t *skewed, int64_t segments, int64_t n, int64_t first,
                                  int64_t *to)
{
    const int64_t row = first + blockIdx.x;
    const uint8_t *key = row < segments ? even + row * n : skewed + (row - segments) * n;
    int64_t count = 0;

    for (int64_t i = 0; i < n; i++)
        count += key[i] == threadIdx.x;
    to[(int64_t)blockIdx.x * BINS + threadIdx.x] = count;
}

static enum aisp_status rows(const struct aisp_device_view *in, int out, int64_t first, int64_t n, void *to)
{
    (void)out;
    count_bins<<<(unsigned)n, BINS, 0, (cudaStream_t)in->stream>>>((const uint8_t *)in->tensor[EVEN],
                                                                   (const uint8_t *)in->tensor[SKEWED], in->param[SEGMENTS],
                                                                   in->param[N], first, (int64_t *)to);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_REFERENCE = { .abi = AISP_ABI, .rows = rows };
