/* padded.cuh - the transpose through a 32x32 tile whose rows are one element longer, for any sizes: a rung of its own, and what
 * optimized_vectors falls back to where rows are no multiples of 16 bytes. */
#ifndef TRANSPOSE_PADDED_CUH
#define TRANSPOSE_PADDED_CUH

#include <aisp/kernel_kit.cuh>

#include "problem.h"

enum { PADDED_TILE = 32, PADDED_LINES = 8 };

/* transpose_padded - y[c][r] = x[r][c].
 * x (rows, cols)  y (cols, rows): f32, row-major, device, no overlap; rows, cols >= 1, fewer than 2^31 tiles.
 * Launch: block (32, 8), one block for each tile, numbered along rows of x, 4224 B static shared memory.
 * Cost: 8*rows*cols bytes of global memory, each sector touched once where rows are multiples of 8. Error: none.
 * A warp writes a row of the tile and reads a column: elements of a column are 33 banks apart, so that both are free of
 * conflicts. */
__global__ static void __launch_bounds__(PADDED_TILE *PADDED_LINES)
    transpose_padded(const float *x, float *y, int64_t rows, int64_t cols)
{
    __shared__ float tile[PADDED_TILE][PADDED_TILE + 1];
    const unsigned across = (unsigned)((cols + PADDED_TILE - 1) / PADDED_TILE);
    const int64_t r0 = (int64_t)(blockIdx.x / across) * PADDED_TILE, c0 = (int64_t)(blockIdx.x % across) * PADDED_TILE;
    const int64_t c = c0 + threadIdx.x, r = r0 + threadIdx.x; /* may overhang */

    for (int i = threadIdx.y; i < PADDED_TILE; i += PADDED_LINES)
        if (c < cols && r0 + i < rows)
            tile[i][threadIdx.x] = x[(r0 + i) * cols + c];
    __syncthreads();
    for (int i = threadIdx.y; i < PADDED_TILE; i += PADDED_LINES)
        if (r < rows && c0 + i < cols)
            y[(c0 + i) * rows + r] = tile[threadIdx.x][i];
}

static inline void transpose_padded_launch(const struct aisp_call *call)
{
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    const unsigned tiles = aisp_blocks(rows, PADDED_TILE) * aisp_blocks(cols, PADDED_TILE);

    transpose_padded<<<tiles, dim3(PADDED_TILE, PADDED_LINES), 0, aisp_stream(call)>>>((const float *)call->tensor[X],
                                                                                       (float *)call->tensor[Y], rows, cols);
}

#endif
