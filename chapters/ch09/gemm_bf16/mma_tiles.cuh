/* mma_tiles.cuh - the kernel of optimized_mma, in a header because the Hopper rungs fall back to it: the copy engine wants
 * rows of whole 16 bytes, and this takes any shape. Compiles for every card from sm_80 on.
 * How it works: a block owns 128 x 128 of c, its four warps 64 x 64 each, in registers. Slices of a and b of depth 64 come
 * by cp.async into a ring of three in shared memory, so that the copy of a slice hides under the products of two others.
 * Chunks of 16 bytes are permuted within rows, for ldmatrix reads eight rows at one column, which would else lie in the same
 * banks. */
#ifndef GEMM_BF16_MMA_TILES_CUH
#define GEMM_BF16_MMA_TILES_CUH

#include <stdint.h>

#include <aisp/kernel_kit.cuh>

#include "problem.h"

constexpr int MMA_M = 128, MMA_N = 128, MMA_K = 64;     /* tile of a block */
constexpr int MMA_STAGES = 3;
constexpr int MMA_THREADS = 128;                        /* warps 2 x 2 */
constexpr int MMA_GROUP = 8; /* tiles of c that share a column go to neighbouring blocks, so many at a time */
constexpr int MMA_A_BYTES = MMA_M * MMA_K * 2, MMA_STAGE_BYTES = MMA_A_BYTES + MMA_K * MMA_N * 2;
constexpr int MMA_SHARED_BYTES = MMA_STAGES * MMA_STAGE_BYTES;

struct mma_shape { int m, n, k; };

/* Byte of the 16-byte chunk (row, chunk) in a tile of ROW_CHUNKS chunks a row. */
template <int ROW_CHUNKS> __device__ static __forceinline__ uint32_t chunk_at(int row, int chunk)
{
    return (uint32_t)(row * ROW_CHUNKS + (chunk ^ (row & 7))) * 16;
}

/* Eight elements of a matrix (rows, columns) to shared memory, zeros outside of it. ALIGNED: all eight or none are inside. */
template <int ALIGNED>
__device__ static __forceinline__ void chunk_copy(uint32_t to, const uint16_t *from, int row, int column, int rows, int columns)
{
    const uint16_t *source = from + (int64_t)row * columns + column;

    if (ALIGNED) {
        const int inside = row < rows && column < columns;

        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(inside ? source : from),
                     "r"(inside ? 16 : 0)
                     : "memory");
    } else {
        uint32_t word[4];

        for (int i = 0; i < 4; i++) {
            const uint32_t low = row < rows && column + 2 * i < columns ? source[2 * i] : 0;
            const uint32_t high = row < rows && column + 2 * i + 1 < columns ? source[2 * i + 1] : 0;

            word[i] = low | high << 16;
        }
        asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(word[0]), "r"(word[1]), "r"(word[2]),
                     "r"(word[3])
                     : "memory");
    }
}

/* Slice `slice` of both operands for the tile of c at (top, left). */
template <int ALIGNED>
__device__ static __forceinline__ void slice_copy(uint32_t stage, const uint16_t *a, const uint16_t *b, struct mma_shape of,
                                                  int top, int left, int slice)
{
    constexpr int A_CHUNKS = MMA_K / 8, B_CHUNKS = MMA_N / 8;

#pragma unroll
    for (int i = threadIdx.x; i < MMA_M * A_CHUNKS; i += MMA_THREADS) {
        const int row = i / A_CHUNKS, chunk = i % A_CHUNKS;

        chunk_copy<ALIGNED>(stage + chunk_at<A_CHUNKS>(row, chunk), a, top + row, slice * MMA_K + chunk * 8, of.m, of.k);
    }
#pragma unroll
    for (int i = threadIdx.x; i < MMA_K * B_CHUNKS; i += MMA_THREADS) {
        const int row = i / B_CHUNKS, chunk = i % B_CHUNKS;

        chunk_copy<ALIGNED>(stage + MMA_A_BYTES + chunk_at<B_CHUNKS>(row, chunk), b, slice * MMA_K + row, left + chunk * 8,
                            of.k, of.n);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
}

__device__ static __forceinline__ void mma_16x8x16(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/* Adds the products of one slice to a warp's 64 x 64 sums, which lie at (row, column) of the block's tile. */
__device__ static __forceinline__ void slice_multiply(float (&sum)[4][8][4], uint32_t stage, int row, int column)
{
    const int lane = threadIdx.x % 32, in_half = lane % 16, half = lane / 16;

#pragma unroll
    for (int p = 0; p < MMA_K; p += 16) {
        uint32_t a[4][4], b[4][4];    /* four 16 x 16 tiles each */

#pragma unroll
        for (int i = 0; i < 4; i++)
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                         : "=r"(a[i][0]), "=r"(a[i][1]), "=r"(a[i][2]), "=r"(a[i][3])
                         : "r"(stage + chunk_at<MMA_K / 8>(row + 16 * i + in_half, p / 8 + half))
                         : "memory");
#pragma unroll
        for (int j = 0; j < 4; j++)
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                         : "=r"(b[j][0]), "=r"(b[j][1]), "=r"(b[j][2]), "=r"(b[j][3])
                         : "r"(stage + MMA_A_BYTES + chunk_at<MMA_N / 8>(p + in_half, column / 8 + 2 * j + half))
                         : "memory");
#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = 0; j < 8; j++)
                mma_16x8x16(sum[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
    }
}

/* Columns (column, column + 1) of one row of c; a pair is one store where pairs are aligned. */
__device__ static __forceinline__ void pair_store(uint16_t *c, struct mma_shape of, int row, int column, float first,
                                                  float second)
{
    uint16_t *to = c + (int64_t)row * of.n + column;
    uint32_t pair;

    if (row >= of.m || column >= of.n)
        return;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
    if (of.n % 2 == 0) {
        *(uint32_t *)to = pair;
        return;
    }
    to[0] = (uint16_t)pair;
    if (column + 1 < of.n)
        to[1] = (uint16_t)(pair >> 16);
}

/* gemm_mma - c = a b, one 128 x 128 tile of c per block.
 * a (m,k)  b (k,n)  c (m,n): bf16, row-major, device, no overlap; m,n,k >= 1 and < 2^31 - 256. ALIGNED: n and k multiples of
 * 8, a and b aligned to 16 bytes; else only to 2.
 * Launch: block 128, grid ceil(m/128) ceil(n/128), 96 KiB dynamic shared, caller's stream.
 * Cost: 2mnk flop; 4mnk/128 + 2mn bytes requested from L2.
 * Error: u |c| for the rounding to bf16, u = 2^-8, and k 2^-23 |A||B| for sums that truncate. Source: Higham 2002, section
 * 3.5. */
template <int ALIGNED>
__global__ static void __launch_bounds__(MMA_THREADS, 2)
    gemm_mma(const uint16_t *a, const uint16_t *b, uint16_t *c, struct mma_shape of)
{
    extern __shared__ uint4 stages[];
    const uint32_t ring = (uint32_t)__cvta_generic_to_shared(stages);
    const int down = (of.m - 1) / MMA_M + 1, across = (of.n - 1) / MMA_N + 1, n_slices = (of.k - 1) / MMA_K + 1;
    const int group = blockIdx.x / (MMA_GROUP * across) * MMA_GROUP, in_group = blockIdx.x % (MMA_GROUP * across);
    const int height = down - group < MMA_GROUP ? down - group : MMA_GROUP;
    const int top = (group + in_group % height) * MMA_M, left = in_group / height * MMA_N;
    const int warp = threadIdx.x / 32, row = warp / 2 * 64, column = warp % 2 * 64, lane = threadIdx.x % 32;
    float sum[4][8][4] = {};

    for (int s = 0; s < MMA_STAGES - 1; s++)
        slice_copy<ALIGNED>(ring + s * MMA_STAGE_BYTES, a, b, of, top, left, s);
    for (int slice = 0; slice < n_slices; slice++) {
        const int next = slice + MMA_STAGES - 1;

        asm volatile("cp.async.wait_group %0;" ::"n"(MMA_STAGES - 2) : "memory");
        __syncthreads();     /* slice is there, and the stage of the one before it is free */
        slice_copy<ALIGNED>(ring + next % MMA_STAGES * MMA_STAGE_BYTES, a, b, of, top, left, next);
        slice_multiply(sum, ring + slice % MMA_STAGES * MMA_STAGE_BYTES, row, column);
    }
    asm volatile("cp.async.wait_group 0;" ::: "memory");
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) {
            const int y = top + row + 16 * i + lane / 4, x = left + column + 8 * j + lane % 4 * 2;

            pair_store(c, of, y, x, sum[i][j][0], sum[i][j][1]);
            pair_store(c, of, y + 8, x, sum[i][j][2], sum[i][j][3]);
        }
}

/* Once, before the first mma_run(). */
static enum aisp_status mma_setup(void)
{
    AISP_CUDA(cudaFuncSetAttribute(gemm_mma<0>, cudaFuncAttributeMaxDynamicSharedMemorySize, MMA_SHARED_BYTES));
    AISP_CUDA(cudaFuncSetAttribute(gemm_mma<1>, cudaFuncAttributeMaxDynamicSharedMemorySize, MMA_SHARED_BYTES));
    return AISP_OK;
}

static enum aisp_status mma_run(const struct aisp_call *call)
{
    const int64_t m = call->param[M], n = call->param[N], k = call->param[K];
    const struct mma_shape of = { (int)m, (int)n, (int)k };
    const unsigned grid = aisp_blocks(m, MMA_M) * aisp_blocks(n, MMA_N);
    const uint16_t *a = (const uint16_t *)call->tensor[A], *b = (const uint16_t *)call->tensor[B];
    uint16_t *c = (uint16_t *)call->tensor[C];

    if (n % 8 == 0 && k % 8 == 0)
        gemm_mma<1><<<grid, MMA_THREADS, MMA_SHARED_BYTES, aisp_stream(call)>>>(a, b, c, of);
    else
        gemm_mma<0><<<grid, MMA_THREADS, MMA_SHARED_BYTES, aisp_stream(call)>>>(a, b, c, of);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

#endif
