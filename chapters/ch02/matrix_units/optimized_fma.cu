/* optimized_fma - the scalar FMA unit at its best: tiles widened to f32 on their way into shared
 * memory, and an 8x8 micro-tile of c in each thread's registers.
 * Expected: the FMA pipe is the limit, 128 multiply-adds a cycle and SM: two thirds of 60 TFLOP/s,
 * ten times the baseline. No arrangement of this unit goes further than its rate; the rest of the
 * ladder that leads there is ch09:gemm_ladder's.
 * Costs: a block of 128x128 of c, so small matrices leave most of the card idle. */
#include <aisp/kernel_kit.cuh>

#include "problem.h"

enum { TILE_M = 128, TILE_N = 128, TILE_K = 8, THREADS = 256, SIDE = 16, HALF = 4 };
enum {
    STRIDE_A = TILE_M + 4
}; /* 8 values along k go to different banks, 128-bit loads stay aligned */

__device__ static float widen(uint16_t bits)
{
    return __uint_as_float((unsigned)bits << 16);
}

/* Both tiles from global memory, elements outside the matrices as zeros. */
__device__ static void stage(float (*a_tile)[STRIDE_A], float (*b_tile)[TILE_N], const uint16_t *a,
                             const uint16_t *b, int64_t p, int64_t m, int64_t n, int64_t k)
{
    const int64_t row0 = (int64_t)blockIdx.y * TILE_M, col0 = (int64_t)blockIdx.x * TILE_N;

#pragma unroll
    for (int j = 0; j < TILE_M * TILE_K / THREADS; j++) {
        const int i = j * THREADS + threadIdx.x, row = i / TILE_K, q = i % TILE_K;

        a_tile[q][row] = row0 + row < m && p + q < k ? widen(a[(row0 + row) * k + p + q]) : 0;
    }
#pragma unroll
    for (int j = 0; j < TILE_N * TILE_K / THREADS; j++) {
        const int i = j * THREADS + threadIdx.x, q = i / TILE_N, col = i % TILE_N;

        b_tile[q][col] = p + q < k && col0 + col < n ? widen(b[(p + q) * n + col0 + col]) : 0;
    }
}

/* Eight values of a row of a tile: four from `at` on, four half a tile further, so that
 * neighbours in a warp read neighbouring 16 bytes. */
__device__ static void load8(float *to, const float *at)
{
    const float4 lower = *(const float4 *)at, upper = *(const float4 *)(at + HALF * SIDE);

    to[0] = lower.x, to[1] = lower.y, to[2] = lower.z, to[3] = lower.w;
    to[4] = upper.x, to[5] = upper.y, to[6] = upper.z, to[7] = upper.w;
}

/* gemm_fma - C = A B, a tile of 128x128 a block, 8x8 elements a thread (four times 4x4).
 * a (m,k)  b (k,n): bf16, c (m,n): f32, row-major, device, no overlap; m,n,k >= 1, m <= 2^23.
 * Launch: block 256, grid (ceil(n/128), ceil(m/128)), 8.1 KiB static shared, caller's stream.
 * Cost: 2mnk flop; 2 mnk/128 * 2 + 4mn bytes requested from global memory.
 * Error: |c - c64| <= g |A||B| elementwise, g = k u/(1 - k u), u = 2^-24. Source: Higham 2002,
 * section 3.5. */
__global__ static void __launch_bounds__(THREADS, 2)
    gemm_fma(const uint16_t *a, const uint16_t *b, float *c, int64_t m, int64_t n, int64_t k)
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

    gemm_fma<<<grid, THREADS, 0, aisp_stream(call)>>>((const uint16_t *)call->tensor[A],
                                                      (const uint16_t *)call->tensor[B],
                                                      (float *)call->tensor[C], m, n, k);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE(
    "idea: widened tiles in shared memory, an 8x8 micro-tile of c in each thread's registers\n"
    "expect: global load instructions / 128");

AISP_VARIANT = { AISP_ABI, NULL, NULL, run, NULL };
