/* optimized_pipelined - the register micro-tiles, fed by a ring of tiles in shared memory that
 * cp.async fills while earlier ones are multiplied; 128-bit copies and loads, and the fragments of
 * step q + 1 are read while step q is computed.
 * Expected: no warp waits for global or shared memory, so the FMA pipe issues nine cycles of ten:
 * six 128-bit loads feed 128 multiply-adds of an 8x16 micro-tile (12 of 128 cycles of the shared
 * memory pipe in each quarter of an SM), one barrier for each 1024 of them. 1.3x to 1.6x of
 * optimized_micro.
 * Costs: 128 accumulators, so one block an SM; a goes through 4-byte copies, because it has to
 * be turned on its way; widths that are no multiple of 4 copy b and store c 4 bytes at a time. */
#include <cuda_pipeline_primitives.h>

#include <aisp/kernel_kit.cuh>

#include "problem.h"

/* A tile of c is TILE_M x TILE_N a block and ROWS x COLS a thread. 32 threads stand 4 high and 8
 * wide.
 * WIDE: floats in one copy of b and one store of c; 4 needs n to be a multiple of 4. */
#define SHAPE                                                                                      \
    template <int TILE_M, int TILE_N, int TILE_K, int ROWS, int COLS, int STAGES, int WIDE>
#define SHAPE_AND(more)                                                                            \
    template <int TILE_M, int TILE_N, int TILE_K, int ROWS, int COLS, int STAGES, int WIDE,        \
              int more>
#define SHAPE_ARGS TILE_M, TILE_N, TILE_K, ROWS, COLS, STAGES, WIDE
#define THREADS_OF (TILE_M * TILE_N / (ROWS * COLS))

enum { HIGH = 4, BROAD = 8, QUAD = 4 };
enum { ALONG_K = 8 }; /* threads of a copy of a: one 32-byte sector of a row each eight */
/* Floats added to a row of the turned tile of a: eight steps of k times four rows, which one warp's
 * copy writes, are in 32 different banks, and rows stay 16-byte aligned. */
enum { PAD = 4 };

struct gemm {
    const float *a, *b;
    float *c;
    int m, n, k;
};

SHAPE __host__ __device__ constexpr int stage_floats(void)
{
    return TILE_K * (TILE_M + PAD + TILE_N);
}

/* Columns k0 .. k0 + TILE_K - 1 of the block's rows of a, turned, and the same rows of b; WHOLE:
 * all of them are below k, else there have to be zeros from k on.
 * a_row[i]: the rows that this thread copies, clamped into the matrix, as the columns of b are:
 * what is read twice is multiplied into elements that are not stored. */
SHAPE_AND(WHOLE)
__device__ static void copy_tile(float *to, const struct gemm &g, const float *const *a_row, int k0)
{
    constexpr int THREADS = THREADS_OF, STEP = THREADS / ALONG_K, PER_ROW = TILE_N / WIDE;
    const int t = threadIdx.x, col0 = blockIdx.x * TILE_N;

#pragma unroll
    for (int i = 0; i < TILE_M / STEP; i++)
#pragma unroll
        for (int j = 0; j < TILE_K; j += ALONG_K) {
            const int q = j + t % ALONG_K;
            float *at = to + q * (TILE_M + PAD) + i * STEP + t / ALONG_K;

            if (WHOLE || k0 + q < g.k)
                __pipeline_memcpy_async(at, a_row[i] + k0 + j, sizeof *at);
            else
                *at = 0;
        }
    to += TILE_K * (TILE_M + PAD);
#pragma unroll
    for (int i = 0; i < TILE_K * PER_ROW / THREADS; i++) {
        const int q = (i * THREADS + t) / PER_ROW, x = (i * THREADS + t) % PER_ROW * WIDE;
        const int col = min(col0 + x, g.n - WIDE);

        if (WHOLE || k0 + q < g.k)
            __pipeline_memcpy_async(to + q * TILE_N + x, g.b + (int64_t)(k0 + q) * g.n + col,
                                    WIDE * sizeof *to);
        else
            for (int s = 0; s < WIDE; s++)
                to[q * TILE_N + x + s] = 0;
    }
}

/* Tile `tile` of k into its stage, if there is one. */
SHAPE __device__ static void begin_tile(float *to, const struct gemm &g, const float *const *a_row,
                                        int tile)
{
    if ((tile + 1) * TILE_K <= g.k)
        copy_tile<SHAPE_ARGS, 1>(to, g, a_row, tile * TILE_K);
    else if (tile * TILE_K < g.k)
        copy_tile<SHAPE_ARGS, 0>(to, g, a_row, tile * TILE_K);
    __pipeline_commit();
}

/* A thread's values at one step of k: groups of four, `gap` floats from group to group. */
template <int COUNT> __device__ static void load_fragment(float *to, const float *from, int gap)
{
#pragma unroll
    for (int i = 0; i < COUNT; i += QUAD) {
        const float4 v = *(const float4 *)(from + i / QUAD * gap);

        to[i] = v.x, to[i + 1] = v.y, to[i + 2] = v.z, to[i + 3] = v.w;
    }
}

template <int ROWS, int COLS>
__device__ static void multiply(float (*sum)[COLS], const float *left, const float *right)
{
#pragma unroll
    for (int r = 0; r < ROWS; r++)
#pragma unroll
        for (int s = 0; s < COLS; s++)
            sum[r][s] += left[r] * right[s];
}

template <int ROWS, int COLS, int WIDE>
__device__ static void store_sums(const struct gemm &g, float (*sum)[COLS], int row0, int col0)
{
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int row = row0 + r / QUAD * HIGH * QUAD + r % QUAD;

#pragma unroll
        for (int s = 0; s < COLS; s += WIDE) {
            const int col = col0 + s / QUAD * BROAD * QUAD + s % QUAD;
            float *at = g.c + (int64_t)row * g.n + col;

            if (row >= g.m || col >= g.n)
                continue;
            if (WIDE == QUAD)
                *(float4 *)at = make_float4(sum[r][s], sum[r][s + 1], sum[r][s + 2], sum[r][s + 3]);
            else
                *at = sum[r][s];
        }
    }
}

/* gemm_pipelined - C = A B, a tile of TILE_M x TILE_N a block.
 * a (m,k)  b (k,n)  c (m,n): f32, row-major, device, no overlap, 16-byte aligned; m,n,k >= 1,
 * m + TILE_M, n + TILE_N, k + STAGES TILE_K < 2^31.
 * Launch: block TILE_M TILE_N / (ROWS COLS), grid (ceil(n/TILE_N), ceil(m/TILE_M)), dynamic shared
 * 4 STAGES TILE_K (TILE_M + TILE_N + PAD) bytes, caller's stream.
 * Cost: 2mnk flop; 4mnk (1/TILE_M + 1/TILE_N) + 4mn bytes requested from global memory.
 * Error: |c - c64| <= g |A||B| elementwise, g = k u/(1 - k u), u = 2^-24. Source: Higham 2002,
 * section 3.5. */
SHAPE __global__ static void __launch_bounds__(THREADS_OF, COLS > 8 || ROWS > 8 ? 1 : 2)
    gemm_pipelined(const struct gemm g)
{
    constexpr int STAGE = stage_floats<SHAPE_ARGS>(), WARPS_N = TILE_N / (BROAD * COLS);
    constexpr int STEP = THREADS_OF / ALONG_K;
    extern __shared__ __align__(16) float ring[];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    /* Lanes lie so that each half of a warp reads two places of a and eight of b, neighbours in
     * pairs at the same one: that is what two cycles of shared memory serve for a warp's 128-bit
     * load. */
    const int y = warp / WARPS_N * HIGH * ROWS + (lane % 2 + lane / 16 * 2) * QUAD;
    const int x = warp % WARPS_N * BROAD * COLS + lane / 2 % BROAD * QUAD;
    const int n_tiles = (g.k + TILE_K - 1) / TILE_K;
    const float *a_row[TILE_M / STEP];
    float sum[ROWS][COLS] = { { 0 } }, left[2][ROWS], right[2][COLS];
    int now = 0, next = STAGES - 1; /* stages of the ring: being read, to be filled */

#pragma unroll
    for (int i = 0; i < TILE_M / STEP; i++) {
        const int row = blockIdx.y * TILE_M + i * STEP + threadIdx.x / ALONG_K;

        a_row[i] = g.a + (int64_t)min(row, g.m - 1) * g.k + threadIdx.x % ALONG_K;
    }
#pragma unroll
    for (int i = 0; i < STAGES - 1; i++)
        begin_tile<SHAPE_ARGS>(ring + i * STAGE, g, a_row, i);
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    load_fragment<ROWS>(left[0], ring + y, HIGH * QUAD);
    load_fragment<COLS>(right[0], ring + TILE_K * (TILE_M + PAD) + x, BROAD * QUAD);

    for (int tile = 0; tile < n_tiles; tile++)
#pragma unroll
        for (int q = 0; q < TILE_K; q++) {
            const int ahead = (q + 1) % TILE_K;

            if (q == TILE_K - 1) { /* all have read this tile, and the next one is there */
                __pipeline_wait_prior(STAGES - 2);
                __syncthreads();
                now = now + 1 < STAGES ? now + 1 : 0;
            }
            load_fragment<ROWS>(left[ahead % 2], ring + now * STAGE + ahead * (TILE_M + PAD) + y,
                                HIGH * QUAD);
            load_fragment<COLS>(right[ahead % 2],
                                ring + now * STAGE + TILE_K * (TILE_M + PAD) + ahead * TILE_N + x,
                                BROAD * QUAD);
            if (q == 0) {
                begin_tile<SHAPE_ARGS>(ring + next * STAGE, g, a_row, tile + STAGES - 1);
                next = next + 1 < STAGES ? next + 1 : 0;
            }
            multiply<ROWS, COLS>(sum, left[q % 2], right[q % 2]);
        }
    store_sums<ROWS, COLS, WIDE>(g, sum, blockIdx.y * TILE_M + y, blockIdx.x * TILE_N + x);
}

SHAPE static enum aisp_status launch(const struct gemm *g, cudaStream_t stream)
{
    const dim3 grid(aisp_blocks(g->n, TILE_N), aisp_blocks(g->m, TILE_M));
    const size_t shared = STAGES * stage_floats<SHAPE_ARGS>() * sizeof(float);

    gemm_pipelined<SHAPE_ARGS><<<grid, THREADS_OF, shared, stream>>>(*g);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

SHAPE static enum aisp_status allow_shared(void)
{
    AISP_CUDA(cudaFuncSetAttribute(gemm_pipelined<SHAPE_ARGS>,
                                   cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   STAGES * stage_floats<SHAPE_ARGS>() * sizeof(float)));
    return AISP_OK;
}

/* Large tiles, and small ones for products of which the large ones would leave half the card
 * idle. */
#define LARGE_SHAPE 128, 256, 8, 8, 16, 4
#define SMALL_SHAPE 32, 32, 16, 4, 4, 3
enum { LARGE_M = 128, LARGE_N = 256, LEAST_TILES = 64 };

static bool is_small(int64_t m, int64_t n)
{
    return (m + LARGE_M - 1) / LARGE_M * ((n + LARGE_N - 1) / LARGE_N) < LEAST_TILES;
}

static enum aisp_status setup(const struct aisp_setup *setup)
{
    const int64_t m = setup->param[M], n = setup->param[N];

    if (is_small(m, n)) /* less than 48 KiB needs no leave */
        return AISP_OK;
    return n % QUAD ? allow_shared<LARGE_SHAPE, 1>() : allow_shared<LARGE_SHAPE, QUAD>();
}

static enum aisp_status run(const struct aisp_call *call)
{
    cudaStream_t stream = aisp_stream(call);
    const struct gemm g = { (const float *)call->tensor[A],
                            (const float *)call->tensor[B],
                            (float *)call->tensor[C],
                            (int)call->param[M],
                            (int)call->param[N],
                            (int)call->param[K] };

    if (is_small(g.m, g.n))
        return g.n % QUAD ? launch<SMALL_SHAPE, 1>(&g, stream)
                          : launch<SMALL_SHAPE, QUAD>(&g, stream);
    return g.n % QUAD ? launch<LARGE_SHAPE, 1>(&g, stream) : launch<LARGE_SHAPE, QUAD>(&g, stream);
}

AISP_DECLARE(
    "idea: register micro-tiles fed by a cp.async ring in shared memory, 128 bits at a time, "
    "one step of k ahead\n"
    "expect: FMA pipe utilisation 0.9");

AISP_VARIANT = { AISP_ABI, NULL, setup, run, NULL };
