/* optimized_tensor - the same bf16 values, not widened, through the matrix unit: one mma.sync of a
 * warp multiplies 16x16 by 16x8 and adds to f32 sums, 2048 multiply-adds for one instruction.
 * Expected: the tensor pipe does 8 times the multiply-adds of the FMA pipe a cycle (mma.sync
 * reaches about five eighths of what wgmma does on Hopper), and tiles stay 2 bytes an element: 8x
 * to 12x of optimized_fma, limited by L2, which delivers 768 bytes for each 65536 flop of a 128x256
 * tile.
 * Costs: fragments in the layout that the unit wants (ldmatrix), 16-byte blocks swizzled in
 * shared memory so that its reads have no bank conflicts, a cp.async ring; 2-byte loads where n
 * or k is no multiple of 8. Its sums of 16 products are rounded towards zero, not to nearest. */
#include <cuda_pipeline_primitives.h>

#include <aisp/kernel_kit.cuh>

#include "problem.h"

enum { TILE_M = 128, TILE_N = 256, TILE_K = 64, STAGES = 4, THREADS = 256, WARPS_N = 4 };
enum { WARP_M = 64, WARP_N = 64, STEP = 16, MMA_M = 16, MMA_N = 8 };
enum { BLOCK = 8, A_BLOCKS = TILE_K / BLOCK, B_BLOCKS = TILE_N / BLOCK }; /* elements; in a row */
/* Rows of the tiles that the threads copy at once: multiples of 8, so a thread keeps its column. */
enum { A_STEP = THREADS / A_BLOCKS, B_STEP = THREADS / B_BLOCKS };
enum { N_LEFT = WARP_M / MMA_M, N_RIGHT = WARP_N / MMA_N };
enum { B_AT = TILE_M * TILE_K, STAGE = TILE_M * TILE_K + TILE_K * TILE_N }; /* elements */

struct gemm {
    const uint16_t *a, *b;
    float *c;
    int m, n, k;
};

/* Where 16-byte block x of a row lies: eight rows of one column of blocks are in different
 * banks. */
__device__ static int place(int row, int x, int blocks)
{
    return (row * blocks + (x ^ row % 8)) * BLOCK;
}

/* Eight neighbours, at + i for i >= n as zero. WIDE: n is 8 or less than 1, and `at` 16-byte
 * aligned. */
template <int WIDE> __device__ static void copy_block(uint16_t *to, const uint16_t *at, int n)
{
    if (WIDE && n > 0)
        __pipeline_memcpy_async(to, at, BLOCK * sizeof *to);
    else if (WIDE)
        *(uint4 *)to = make_uint4(0, 0, 0, 0);
    else
        for (int i = 0; i < BLOCK; i++)
            to[i] = i < n ? at[i] : 0;
}

/* Tile `tile` of k into its stage, if there is one. Beyond the matrices there have to be zeros. */
template <int WIDE> __device__ static void begin_tile(uint16_t *to, const struct gemm &g, int tile)
{
    const int a_y = threadIdx.x / A_BLOCKS, a_x = threadIdx.x % A_BLOCKS;
    const int b_y = threadIdx.x / B_BLOCKS, b_x = threadIdx.x % B_BLOCKS;
    const int row = blockIdx.y * TILE_M + a_y, p = tile * TILE_K + a_x * BLOCK;
    const int q = tile * TILE_K + b_y, col = blockIdx.x * TILE_N + b_x * BLOCK;

    if (tile * TILE_K < g.k) {
        const uint16_t *a = g.a + (int64_t)row * g.k + p, *b = g.b + (int64_t)q * g.n + col;
        uint16_t *a_to = to + place(a_y, a_x, A_BLOCKS),
                 *b_to = to + B_AT + place(b_y, b_x, B_BLOCKS);

#pragma unroll(WIDE ? TILE_M / A_STEP : 1)
        for (int y = 0; y < TILE_M; y += A_STEP)
            copy_block<WIDE>(a_to + y * TILE_K, a + (int64_t)y * g.k, row + y < g.m ? g.k - p : 0);
#pragma unroll(WIDE ? TILE_K / B_STEP : 1)
        for (int y = 0; y < TILE_K; y += B_STEP)
            copy_block<WIDE>(b_to + y * TILE_N, b + (int64_t)y * g.n, q + y < g.k ? g.n - col : 0);
    }
    __pipeline_commit();
}

/* Four 8x8 matrices; the lanes give the addresses of their rows, eight lanes a matrix. */
__device__ static void load_matrices(unsigned *to, const uint16_t *row)
{
    const unsigned at = (unsigned)__cvta_generic_to_shared(row);

    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(at)
                 : "memory");
}

__device__ static void load_matrices_turned(unsigned *to, const uint16_t *row)
{
    const unsigned at = (unsigned)__cvta_generic_to_shared(row);

    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(at)
                 : "memory");
}

/* sum (16,8) += left (16,16) right (16,8), spread over the warp as the unit wants it. */
__device__ static void multiply_add(float *sum, const unsigned *left, const unsigned *right)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]),
                   "r"(right[1]));
}

/* A warp's 64 rows of a and 64 columns of b for 16 steps of k, from `step` on. */
__device__ static void load_fragments(unsigned (*left)[4], unsigned (*right)[2],
                                      const uint16_t *tile, int y, int x, int step)
{
    const int lane = threadIdx.x % 32;

#pragma unroll
    for (int i = 0; i < N_LEFT; i++)
        load_matrices(left[i],
                      tile + place(y + i * MMA_M + lane % 16, step / BLOCK + lane / 16, A_BLOCKS));
#pragma unroll
    for (int i = 0; i < N_RIGHT; i += 2)
        load_matrices_turned(
            right[i], tile + B_AT + place(step + lane % 16, x / BLOCK + i + lane / 16, B_BLOCKS));
}

template <int WIDE>
__device__ static void store_sums(const struct gemm &g, float (*sum)[N_RIGHT][4], int y, int x)
{
    const int lane = threadIdx.x % 32;

#pragma unroll
    for (int i = 0; i < N_LEFT * N_RIGHT * 2; i++) {
        const int r = i / 2 / N_RIGHT, s = i / 2 % N_RIGHT, half = i % 2;
        const int row = blockIdx.y * TILE_M + y + r * MMA_M + half * 8 + lane / 4;
        const int col = blockIdx.x * TILE_N + x + s * MMA_N + lane % 4 * 2;
        const float *from = sum[r][s] + half * 2;
        float *to = g.c + (int64_t)row * g.n + col;

        if (row >= g.m || col >= g.n)
            continue;
        if (WIDE) {
            *(float2 *)to = make_float2(from[0], from[1]);
            continue;
        }
        to[0] = from[0];
        if (col + 1 < g.n)
            to[1] = from[1];
    }
}

/* gemm_tensor - C = A B, a tile of 128x256 a block, 64x64 a warp.
 * a (m,k)  b (k,n): bf16, c (m,n): f32, row-major, device, 16-byte aligned, no overlap; m,n,k >= 1,
 * m + 128, n + 256, k + 256 < 2^31. WIDE: n and k are multiples of 8.
 * Launch: block 256, grid (ceil(n/256), ceil(m/128)), dynamic shared 192 KiB, caller's stream.
 * Cost: 2mnk flop; 2mnk (1/128 + 1/256) + 4mn bytes requested from global memory.
 * Error: products exact, sums of 16 and of k/16 of these rounded towards zero: |c - c64| <= g
 * |A||B| elementwise, g = 2 k u, u = 2^-24. Source: Fasi, Higham, Mikaitis, Pranesh 2021. */
template <int WIDE>
__global__ static void __launch_bounds__(THREADS, 1) gemm_tensor(const struct gemm g)
{
    extern __shared__ __align__(128) uint16_t ring[];
    const int warp = threadIdx.x / 32, y = warp / WARPS_N * WARP_M, x = warp % WARPS_N * WARP_N;
    const int n_tiles = (g.k + TILE_K - 1) / TILE_K;
    float sum[N_LEFT][N_RIGHT][4] = { { { 0 } } };
    unsigned left[2][N_LEFT][4], right[2][N_RIGHT][2];
    int now = 0, next = STAGES - 1; /* stages of the ring: being read, to be filled */

    for (int i = 0; i < STAGES - 1; i++)
        begin_tile<WIDE>(ring + i * STAGE, g, i);
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    load_fragments(left[0], right[0], ring, y, x, 0);
    for (int tile = 0; tile < n_tiles; tile++)
#pragma unroll
        for (int q = 0; q < TILE_K; q += STEP) {
            const int turn = q / STEP % 2;

            if (q == TILE_K - STEP) { /* all have read this tile, and the next one is there */
                __pipeline_wait_prior(STAGES - 2);
                __syncthreads();
                now = now + 1 < STAGES ? now + 1 : 0;
            }
            load_fragments(left[!turn], right[!turn], ring + now * STAGE, y, x,
                           (q + STEP) % TILE_K);
            if (q == 0) {
                begin_tile<WIDE>(ring + next * STAGE, g, tile + STAGES - 1);
                next = next + 1 < STAGES ? next + 1 : 0;
            }
#pragma unroll
            for (int i = 0; i < N_LEFT * N_RIGHT; i++)
                multiply_add(sum[i / N_RIGHT][i % N_RIGHT], left[turn][i / N_RIGHT],
                             right[turn][i % N_RIGHT]);
        }
    store_sums<WIDE>(g, sum, y, x);
}

static int is_wide(const int64_t *param)
{
    return param[N] % BLOCK == 0 && param[K] % BLOCK == 0;
}

static enum aisp_status setup(const struct aisp_setup *setup)
{
    AISP_CUDA(cudaFuncSetAttribute(is_wide(setup->param) ? gemm_tensor<1> : gemm_tensor<0>,
                                   cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   STAGES * STAGE * (int)sizeof(uint16_t)));
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const struct gemm g = { (const uint16_t *)call->tensor[A],
                            (const uint16_t *)call->tensor[B],
                            (float *)call->tensor[C],
                            (int)call->param[M],
                            (int)call->param[N],
                            (int)call->param[K] };
    const dim3 grid(aisp_blocks(g.n, TILE_N), aisp_blocks(g.m, TILE_M));
    const size_t shared = STAGES * STAGE * sizeof(uint16_t);

    if (is_wide(call->param))
        gemm_tensor<1><<<grid, THREADS, shared, aisp_stream(call)>>>(g);
    else
        gemm_tensor<0><<<grid, THREADS, shared, aisp_stream(call)>>>(g);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: bf16 through the matrix unit, 2048 multiply-adds an mma.sync, f32 sums\n"
             "expect: multiply-add instructions / 64");

AISP_VARIANT = { AISP_ABI, NULL, setup, run, NULL };
