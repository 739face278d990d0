/* optimized_micro - each thread computes an 8x8 micro-tile of c in registers: 16 values read from
 * shared memory feed 64 multiply-adds, where a thread of one element needs two values for each.
 * Expected: shared memory loads / 32 (an eighth of the values, four in one 128-bit load), so that
 * the FMA pipe is the limit while a tile is multiplied; half to two thirds of its rate, because
 * nothing overlaps the loads of the next tile with this one's arithmetic but the second block on
 * the SM.
 * Costs: a block of 128x128 of c: small matrices leave most of the card idle; a is transposed on
 * its way into shared memory. */
#include <aisp/kernel_kit.cuh>

#include "problem.h"

enum { TILE_M = 128, TILE_N = 128, TILE_K = 8, THREADS = 256, SIDE = 16, HALF = 4 };
enum {
    STRIDE_A = TILE_M + 4
}; /* 8 values along k go to different banks, 128-bit loads stay aligned */

/* Both tiles from global memory, elements outside the matrices as zeros. */
__device__ static void stage(float (*a_tile)[STRIDE_A], float (*b_tile)[TILE_N], const float *a,
                             const float *b, int64_t p, int64_t m, int64_t n, int64_t k)
{
    const int64_t row0 = (int64_t)blockIdx.y * TILE_M, col0 = (int64_t)blockIdx.x * TILE_N;

#pragma unroll
    for (int j = 0; j < TILE_M * TILE_K / THREADS; j++) {
        const int i = j * THREADS + threadIdx.x, row = i / TILE_K, q = i % TILE_K;

        a_tile[q][row] = row0 + row < m && p + q < k ? a[(row0 + row) * k + p + q] : 0;
    }
#pragma unroll
    for (int j = 0; j < TILE_N * TILE_K / THREADS; j++) {
        const int i = j * THREADS + threadIdx.x, q = i / TILE_N, col = i % TILE_N;

        b_tile[q][col] = p + q < k && col0 + col < n ? b[(p + q) * n + col0 + col] : 0;
    }
}

/* Eight values of a row of a tile: four from `at` on, four half a tile further. Neighbours in a
 * warp then read neighbouring 16 bytes, which eight in a row would not. */
__device__ static void load8(float *to, const float *at)
{
    const float4 lower = *(const float4 *)at, upper = *(const float4 *)(at + HALF * SIDE);

    to[0] = lower.x, to[1] = lower.y, to[2] = lower.z, to[3] = lower.w;
    to[4] = upper.x, to[5] = upper.y, to[6] = upper.z, to[7] = upper.w;
}

/* gemm_micro - C = A B, a tile of 128x128 a block, 8x8 elements a thread (four times 4x4).
 * a (m,k)  b (k,n)  c (m,n): f32, row-major, device, no overlap; 1 <= m,n,k < 2^31, m <= 2^23.
 * Launch: block 256, grid (ceil(n/128), ceil(m/128)), 8.1 KiB static shared, caller's stream.
 * Cost: 2mnk flop; 4 mnk/128 * 2 + 4mn bytes requested from global memory.
 * Error: |c - c64| <= g |A||B| elementwise, g = k u/(1 - k u), u = 2^-24. Source: Higham 2002,
 * section 3.5. */
__global__ static void __launch_bounds__(THREADS, 2)
    gemm_micro(const float *a, const float *b, float *c, int64_t m, int64_t n, int64_t k)
{
    __shared__ __align__(16) float a_tile[TILE_K][STRIDE_A];
    __shared__ __align__(16) float b_tile[TILE_K][TILE_N];
    const int y = threadIdx.x / SIDE * HALF, x = threadIdx.x % SIDE * HALF;
    float sum[8][8] = { { 0 } };

    for (int64_t p = 0; p < k; p += TILE_K) {
        stage(a_tile, b_tile, a, b, p, m, n, k);
        __syncthreads();
#pragma unroll
        for (int q = 0; q < TILE_K; q++) {
            float left[8], right[8];

            load8(left, &a_tile[q][y]);
            load8(right, &b_tile[q][x]);
#pragma unroll
            for (int i = 0; i < 64; i++)
                sum[i / 8][i % 8] += left[i / 8] * right[i % 8];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 64; i++) {
        const int r = i / 8, s = i % 8;
        const int64_t row = (int64_t)blockIdx.y * TILE_M + y + r % HALF + r / HALF * HALF * SIDE;
        const int64_t col = (int64_t)blockIdx.x * TILE_N + x + s % HALF + s / HALF * HALF * SIDE;

        if (row < m && col < n)
            c[row * n + col] = sum[r][s];
    }
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t m = call->param[M], n = call->param[N], k = call->param[K];
    const dim3 grid(aisp_blocks(n, TILE_N), aisp_blocks(m, TILE_M));

    gemm_micro<<<grid, THREADS, 0, aisp_stream(call)>>>((const float *)call->tensor[A],
                                                        (const float *)call->tensor[B],
                                                        (float *)call->tensor[C], m, n, k);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: an 8x8 micro-tile of c in each thread's registers, 16 values loaded for 64 "
             "multiply-adds\n"
             "expect: shared load instructions / 32");

AISP_VARIANT = { AISP_ABI, NULL, NULL, run, NULL };
