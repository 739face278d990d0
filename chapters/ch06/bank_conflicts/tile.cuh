/* tile.cuh - the filter on a tile of 32 columns that is turned in shared memory, so that the sixteen elements which a sum
 * wants lie side by side and come in vectors of four. The rungs differ in where the vectors lie: PITCH vectors for each
 * column, and SWIZZLED or not. */
#ifndef BANK_CONFLICTS_TILE_CUH
#define BANK_CONFLICTS_TILE_CUH

#include <aisp/kernel_kit.cuh>

#include "problem.h"

/* 112 rows of y want 127 of x: 128, in 32 vectors of four. */
enum { WARP = 32, WARPS = 8, LANES = 4, OUT_ROWS = 112, VECTORS = 32, WINDOW = (TAPS + LANES) / LANES };

template <int PITCH, int SWIZZLED> __device__ static inline int vector_place(int column, int vector)
{
    return column * PITCH + (SWIZZLED ? vector ^ (column % 8) : vector);
}

/* Warp by warp four rows of 32 columns: lines of 128 bytes from memory, one vector of four rows to shared memory. */
template <int PITCH, int SWIZZLED>
__device__ static inline void tile_load(float4 *tile, const float *x, int64_t r0, int64_t n_rows, int column)
{
    for (int v = threadIdx.y; v < VECTORS; v += WARPS) {
        float u[LANES];

        for (int k = 0; k < LANES; k++) {
            const int64_t r = r0 + v * LANES + k;

            u[k] = r < n_rows ? x[r * COLS + column] : 0;
        }
        tile[vector_place<PITCH, SWIZZLED>(threadIdx.x, v)] = make_float4(u[0], u[1], u[2], u[3]);
    }
}

/* Four sums from five vectors: element j + t of the window belongs to sum j with tap t. */
__device__ static inline void window_sums(const float window[WINDOW * LANES], const float taps[TAPS], float sum[LANES])
{
#pragma unroll
    for (int j = 0; j < LANES; j++) {
        sum[j] = 0;
#pragma unroll
        for (int t = 0; t < TAPS; t++)
            sum[j] += taps[t] * window[j + t];
    }
}

/* filter_tile - y[r][c] = w[0] x[r][c] + ... + w[15] x[r + 15][c].
 * x (rows + 15, 1024)  w (16)  y (rows, 1024): f32, row-major, device, no overlap; rows >= 1, fewer than 2^16 * 112.
 * Launch: block (32, 8), grid (32, ceil(rows / 112)), 512 * PITCH bytes static shared memory, the call's stream.
 * Cost: 4.5 KiB of global memory read and 4 KiB written a row, 32768 flop a row.
 * Error: |y - y64| <= 16 u sum|w||x|, u = 2^-24. Source: Higham 2002, section 3.1. */
template <int PITCH, int SWIZZLED>
__global__ static void __launch_bounds__(WARP *WARPS) filter_tile(const float *x, const float *w, float *y, int64_t rows)
{
    __shared__ float4 tile[WARP * PITCH];
    const int column = blockIdx.x * WARP + threadIdx.x;
    const int64_t r0 = (int64_t)blockIdx.y * OUT_ROWS;
    float taps[TAPS];

    for (int t = 0; t < TAPS; t++)
        taps[t] = w[t];
    tile_load<PITCH, SWIZZLED>(tile, x, r0, rows + TAPS - 1, column);
    __syncthreads();
    for (int v = threadIdx.y; v < OUT_ROWS / LANES; v += WARPS) {
        float4 window[WINDOW];
        float sum[LANES];

        for (int k = 0; k < WINDOW; k++)
            window[k] = tile[vector_place<PITCH, SWIZZLED>(threadIdx.x, v + k)];
        window_sums((const float *)window, taps, sum);
        for (int j = 0; j < LANES; j++)
            if (r0 + v * LANES + j < rows)
                y[(r0 + v * LANES + j) * COLS + column] = sum[j];
    }
}

template <int PITCH, int SWIZZLED> static inline enum aisp_status filter_run(const struct aisp_call *call)
{
    const int64_t rows = call->param[ROWS];
    const dim3 grid(COLS / WARP, aisp_blocks(rows, OUT_ROWS));

    filter_tile<PITCH, SWIZZLED><<<grid, dim3(WARP, WARPS), 0, aisp_stream(call)>>>(
        (const float *)call->tensor[X], (const float *)call->tensor[W], (float *)call->tensor[Y], rows);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

#endif
