/* baseline - operator by operator through scratch, as a framework without a compiler runs it: add, square, mean of rows,
 * scale of rows, scale of columns; each a kernel that reads and writes whole tensors. */
#include <aisp/kernel_kit.cuh>

#include "kit/rows.cuh"
#include "problem.h"

enum { THREADS = 256 };

/* The five operators, in their order. a, b, g, to: f32, row-major, device; `to` may be a; rows, cols < 2^31.
 * Launch: block 256; one thread for each element (64-bit grid-free index), or, where a row is summed or scaled, a block for
 * each row.
 * Cost: 12, 8, 4, 8 and 8 bytes an element, in accesses of 4 bytes. Error: correctly rounded; the sum in 256 partial sums. */
__global__ static void add(const float *a, const float *b, float *to, int64_t n)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        to[i] = a[i] + b[i];
}

__global__ static void square(const float *a, float *to, int64_t n)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        to[i] = a[i] * a[i];
}

__global__ static void __launch_bounds__(THREADS) mean_of_rows(const float *a, float *to, int cols)
{
    __shared__ float sums[THREADS / ROW_WARP];
    float sum = 0;

    a += (int64_t)blockIdx.x * cols;
    for (int c = threadIdx.x; c < cols; c += THREADS)
        sum += a[c];
    sum = row_block_sum<THREADS>(sum, sums);
    if (threadIdx.x == 0)
        to[blockIdx.x] = sum / (float)cols;
}

__global__ static void scale_rows(const float *a, const float *mean, float *to, int cols)
{
    const float factor = rsqrtf(mean[blockIdx.x] + EPSILON);

    a += (int64_t)blockIdx.x * cols;
    to += (int64_t)blockIdx.x * cols;
    for (int c = threadIdx.x; c < cols; c += THREADS)
        to[c] = a[c] * factor;
}

__global__ static void scale_columns(const float *a, const float *g, float *to, int cols)
{
    a += (int64_t)blockIdx.x * cols;
    to += (int64_t)blockIdx.x * cols;
    for (int c = threadIdx.x; c < cols; c += THREADS)
        to[c] = a[c] * g[c];
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(param[ROWS] * param[COLS] + param[ROWS]) * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t n = call->param[ROWS] * call->param[COLS];
    const int cols = (int)call->param[COLS];
    const unsigned rows = (unsigned)call->param[ROWS], blocks = aisp_blocks(n, THREADS);
    const cudaStream_t stream = aisp_stream(call);
    float *h = (float *)call->tensor[H], *scratch = (float *)call->workspace, *mean = scratch + n;

    add<<<blocks, THREADS, 0, stream>>>((const float *)call->tensor[X], (const float *)call->tensor[R], h, n);
    AISP_CUDA(cudaGetLastError());
    square<<<blocks, THREADS, 0, stream>>>(h, scratch, n);
    AISP_CUDA(cudaGetLastError());
    mean_of_rows<<<rows, THREADS, 0, stream>>>(scratch, mean, cols);
    AISP_CUDA(cudaGetLastError());
    scale_rows<<<rows, THREADS, 0, stream>>>(h, mean, scratch, cols);
    AISP_CUDA(cudaGetLastError());
    scale_columns<<<rows, THREADS, 0, stream>>>(scratch, (const float *)call->tensor[G], (float *)call->tensor[Y], cols);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: five operators, each a kernel over whole tensors, with a scratch tensor between them");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .setup = NULL, .run = run, .teardown = NULL };
