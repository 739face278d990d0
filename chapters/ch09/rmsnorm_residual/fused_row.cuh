/* fused_row.cuh - both steps on a row of any length by one block: the rung of that name, and what the last one does with long
 * rows. */
#ifndef RMSNORM_RESIDUAL_FUSED_ROW_CUH
#define RMSNORM_RESIDUAL_FUSED_ROW_CUH

#include "kit/rows.cuh"
#include "problem.h"

enum { FUSED_THREADS = 256 };

__device__ static inline float factor_of(float squares, int cols)
{
    return rsqrtf(squares / (float)cols + EPSILON);
}

/* rmsnorm_fused - h = x + r, y = h g / sqrt(mean of h^2 + epsilon), h read back for y.
 * x, r, h, y (rows, cols)  g (cols): f32, row-major, device, no overlap; rows, cols < 2^31.
 * Launch: block 256, grid rows, 32 bytes of static shared memory, the call's stream.
 * Cost: 20*rows*cols bytes requested in accesses of 4 bytes; the 4 of h that are read back come from L2 (8 blocks a
 * multiprocessor have 34 MB of rows of 8192 under way). Error: rsqrtf 2 ulp, the sum in 256 partial sums. */
__global__ static void __launch_bounds__(FUSED_THREADS) rmsnorm_fused(const float *x, const float *r, const float *g,
                                                                      float *__restrict__ h, float *__restrict__ y, int cols)
{
    __shared__ float sums[FUSED_THREADS / ROW_WARP];
    const int64_t first = (int64_t)blockIdx.x * cols;
    float squares = 0;

#pragma unroll 4
    for (int c = threadIdx.x; c < cols; c += FUSED_THREADS) {
        const float v = __ldg(x + first + c) + __ldg(r + first + c);

        h[first + c] = v;
        squares += v * v;
    }

    const float factor = factor_of(row_block_sum<FUSED_THREADS>(squares, sums), cols);

#pragma unroll 4
    for (int c = threadIdx.x; c < cols; c += FUSED_THREADS)
        y[first + c] = h[first + c] * factor * __ldg(g + c);
}

#endif
