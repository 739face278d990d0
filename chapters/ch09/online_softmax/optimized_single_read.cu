/* optimized_single_read - a row is read once, in vectors of 16 bytes, and stays in the registers of its block until it is
 * written.
 * Expected: 8 bytes an element through memory and no more through L2; all loads of a row are under way at once, 32 KiB for a
 * block with a row of 8192, and several blocks share a multiprocessor, so that some read while others write: 85 to 90 % of the
 * memory's bandwidth, 1.3x to 1.6x over two readings.
 * Costs: a kernel for each class of lengths, 64 registers a thread at most; rows of more than 32768 are read twice (online). */
#include <aisp/kernel_kit.cuh>

#include "online_row.cuh"
#include "problem.h"

/* softmax_in_registers - y = exp(x - max of the row) / sum of the row.
 * x, y (rows, cols): f32, row-major, device, on 16 bytes, no overlap; rows < 2^31, 1 <= cols <= 4*THREADS*VECTORS.
 * Launch: block THREADS, grid rows, 8 bytes of static shared memory a warp, the call's stream.
 * Cost: 8*rows*cols bytes in accesses of 16, rows that begin between vectors too; an exponential an element.
 * Error: see online_row.cuh; THREADS partial sums of at most 4*VECTORS + 1 terms. */
template <int THREADS, int VECTORS>
__global__ static void __launch_bounds__(THREADS, 1024 / THREADS) softmax_in_registers(const float *x, float *y, int cols)
{
    __shared__ float maxima[THREADS / ROW_WARP], sums[THREADS / ROW_WARP];
    const int64_t first = (int64_t)blockIdx.x * cols;
    const struct row_span span = row_span_of(first, cols);
    const int at_edge = row_edge(&span, threadIdx.x);
    const float *vx = x + first + span.head + threadIdx.x * ROW_LANES;
    float *vy = y + first + span.head + threadIdx.x * ROW_LANES;
    float edge = at_edge >= 0 ? __ldg(x + first + at_edge) : -INFINITY, max = edge, sum;
    float4 v[VECTORS];

#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        v[k] = make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
        if (threadIdx.x + k * THREADS < span.vectors)
            v[k] = row_load_once(vx + k * THREADS * ROW_LANES);
    }
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        max = fmaxf(max, fmaxf(fmaxf(v[k].x, v[k].y), fmaxf(v[k].z, v[k].w)));

    const float high = log2_scaled(row_block_max<THREADS>(max, maxima));

    sum = edge = exp_below(edge, high);
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        v[k].x = exp_below(v[k].x, high);
        v[k].y = exp_below(v[k].y, high);
        v[k].z = exp_below(v[k].z, high);
        v[k].w = exp_below(v[k].w, high);
        sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
    }

    const float factor = 1 / row_block_sum<THREADS>(sum, sums);

#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        if (threadIdx.x + k * THREADS < span.vectors)
            row_store_once(vy + k * THREADS * ROW_LANES,
                           make_float4(v[k].x * factor, v[k].y * factor, v[k].z * factor, v[k].w * factor));
    if (at_edge >= 0)
        y[first + at_edge] = edge * factor;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = (const float *)call->tensor[X];
    float *y = (float *)call->tensor[Y];
    const unsigned rows = (unsigned)call->param[ROWS];
    const int cols = (int)call->param[COLS];
    const cudaStream_t stream = aisp_stream(call);

    if (cols <= 1024)
        softmax_in_registers<128, 2><<<rows, 128, 0, stream>>>(x, y, cols);
    else if (cols <= 4096)
        softmax_in_registers<256, 4><<<rows, 256, 0, stream>>>(x, y, cols);
    else if (cols <= 8192)
        softmax_in_registers<256, 8><<<rows, 256, 0, stream>>>(x, y, cols);
    else if (cols <= 16384)
        softmax_in_registers<512, 8><<<rows, 512, 0, stream>>>(x, y, cols);
    else if (cols <= 32768)
        softmax_in_registers<1024, 8><<<rows, 1024, 0, stream>>>(x, y, cols);
    else
        softmax_online<<<rows, ONLINE_THREADS, 0, stream>>>(x, y, cols);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: a row is read once in 16-byte vectors and held in registers until it is written\n"
             "expect: L2 sectors / 1.5");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = NULL, .run = run, .teardown = NULL };
