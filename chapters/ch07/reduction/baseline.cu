/* baseline - one block for each row: every thread adds up its share, and a tree in shared memory adds up the threads. */
#include <aisp/kernel_kit.cuh>

#include "problem.h"

enum { THREADS = 256 };

/* sum_tree - y[r] = sum of row r of x.
 * x (rows, cols)  y (rows): f32, row-major, device, no overlap; 1 <= rows < 2^31, cols >= 1.
 * Launch: block 256, grid rows, 1 KiB static shared memory, the call's stream.
 * Cost: 4*rows*cols + 4*rows bytes of global memory, rows*cols flop.
 * Error: |y - y64| <= (cols/256 + 8) u sum|x|, u = 2^-24. Source: Higham 2002, section 4.2. */
__global__ static void __launch_bounds__(THREADS) sum_tree(const float *x, float *y, int64_t cols)
{
    __shared__ float sums[THREADS];
    const float *row = x + blockIdx.x * cols;
    float sum = 0;

    for (int64_t c = threadIdx.x; c < cols; c += THREADS)
        sum += row[c];
    sums[threadIdx.x] = sum;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        y[blockIdx.x] = sums[0];
}

static enum aisp_status run(const struct aisp_call *call)
{
    sum_tree<<<(unsigned)call->param[ROWS], THREADS, 0, aisp_stream(call)>>>((const float *)call->tensor[X],
                                                                             (float *)call->tensor[Y], call->param[COLS]);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: one block a row, a tree in shared memory");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = NULL, .run = run, .teardown = NULL };
