/* baseline - operator by operator, as a framework without a compiler runs it: each is a kernel that reads a whole tensor and
 * writes a whole tensor. */
#include <aisp/kernel_kit.cuh>

#include "problem.h"

enum { THREADS = 256 };

/* The four operators, in their order. x, y (rows, cols) or n elements of them, scale, bias (cols): f32, row-major, device, no
 * overlap.
 * Launch: block 256; a block for each row where columns count, else a thread for each element; the call's stream.
 * Cost: 8, 8, 12 and 8 bytes an element in accesses of 4 bytes. Error: correctly rounded, each. */
__global__ static void scale_columns(const float *x, const float *scale, float *y, int cols)
{
    x += (int64_t)blockIdx.x * cols;
    y += (int64_t)blockIdx.x * cols;
    for (int c = threadIdx.x; c < cols; c += THREADS)
        y[c] = x[c] * scale[c];
}

__global__ static void add_to_columns(const float *bias, float *y, int cols)
{
    y += (int64_t)blockIdx.x * cols;
    for (int c = threadIdx.x; c < cols; c += THREADS)
        y[c] += bias[c];
}

__global__ static void add(const float *x, float *y, int64_t n)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        y[i] += x[i];
}

__global__ static void leaky(float *y, int64_t n)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        y[i] = fmaxf(y[i], y[i] * 0.125f);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t n = call->param[ROWS] * call->param[COLS];
    const int cols = (int)call->param[COLS];
    const unsigned rows = (unsigned)call->param[ROWS], blocks = aisp_blocks(n, THREADS);
    const cudaStream_t stream = aisp_stream(call);
    float *y = (float *)call->tensor[Y];

    scale_columns<<<rows, THREADS, 0, stream>>>((const float *)call->tensor[X], (const float *)call->tensor[SCALE], y, cols);
    AISP_CUDA(cudaGetLastError());
    add_to_columns<<<rows, THREADS, 0, stream>>>((const float *)call->tensor[BIAS], y, cols);
    AISP_CUDA(cudaGetLastError());
    add<<<blocks, THREADS, 0, stream>>>((const float *)call->tensor[R], y, n);
    AISP_CUDA(cudaGetLastError());
    leaky<<<blocks, THREADS, 0, stream>>>(y, n);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: four operators, each a kernel over the whole tensor");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = NULL, .run = run, .teardown = NULL };
