/* baseline - the three passes of the definition, a block for each row: the maximum; the exponentials and their sum; the
 * division. */
#include <aisp/kernel_kit.cuh>

#include "kit/rows.cuh"
#include "problem.h"

enum { THREADS = 256 };

/* softmax_three_passes - y = exp(x - max of the row) / sum of the row.
 * x, y (rows, cols): f32, row-major, device, no overlap; rows, cols < 2^31.
 * Launch: block 256, grid rows, 64 bytes of static shared memory, the call's stream.
 * Cost: 20*rows*cols bytes requested (x twice, y out, in and out) in accesses of 4 bytes; what L2 holds of a row comes from
 * there.
 * Error: an exponential at 1 ulp (CUDA's expf 1.2), a sum in 256 partial sums, a division. */
__global__ static void __launch_bounds__(THREADS) softmax_three_passes(const float *x, float *y, int cols)
{
    __shared__ float maxima[THREADS / ROW_WARP], sums[THREADS / ROW_WARP];
    float max, sum = 0;

    x += (int64_t)blockIdx.x * cols;
    y += (int64_t)blockIdx.x * cols;
    max = x[0];
    for (int c = threadIdx.x; c < cols; c += THREADS)
        max = fmaxf(max, x[c]);
    max = row_block_max<THREADS>(max, maxima);
    for (int c = threadIdx.x; c < cols; c += THREADS) {
        const float e = expf(x[c] - max);

        y[c] = e;
        sum += e;
    }
    sum = row_block_sum<THREADS>(sum, sums);
    for (int c = threadIdx.x; c < cols; c += THREADS)
        y[c] /= sum;
}

static enum aisp_status run(const struct aisp_call *call)
{
    softmax_three_passes<<<(unsigned)call->param[ROWS], THREADS, 0, aisp_stream(call)>>>(
        (const float *)call->tensor[X], (float *)call->tensor[Y], (int)call->param[COLS]);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: a block for each row, three passes over it, expf of the library");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = NULL, .run = run, .teardown = NULL };
