/* specialized.cuh - the kernel of optimized_warp_specialized (CLUSTER 1) and optimized_clusters (CLUSTER 2): a warpgroup
 * that copies, two that multiply, on blocks that stay for many tiles.
 * How a slice travels: the producer waits until its stage is empty, says how many bytes will come and starts the copies; the
 * consumers wait until it is full, multiply, and arrive at `empty` when the products of the slice are through. The ring runs
 * on over the ends of tiles, so slices of the next tile come while results of this one leave: registers -> stmatrix -> copy
 * engine.
 * In a cluster the blocks own tiles that lie below each other and share columns of b: each loads its part of b into all, and
 * a stage is empty only when the consumers of all blocks are through with it.
 * Why the copying warpgroup gives registers away: 64 x 256 sums are 128 registers a thread, and the rest of a consumer's
 * work does not fit under the 168 that three equal warpgroups have. */
#ifndef GEMM_BF16_SPECIALIZED_CUH
#define GEMM_BF16_SPECIALIZED_CUH

#include "hopper.cuh"
#include "mma_tiles.cuh"
#include "tensor_maps.cuh"

constexpr int TILE_M = 128, TILE_N = 256, TILE_K = 64;     /* 64 x 256 for each consumer; 64 deep is 128 bytes, one swizzle */
constexpr int STAGES = 4;
constexpr int THREADS = 384;                               /* warpgroup 0 copies, 1 and 2 multiply */
constexpr int PRODUCER_REGISTERS = 40, CONSUMER_REGISTERS = 232;
constexpr int GROUP_ROWS = 16 * TILE_M;                    /* rows of c that are walked together, column of tiles by column */
constexpr int A_BYTES = TILE_M * TILE_K * 2, B_BOX_BYTES = TILE_K * 64 * 2, B_BOXES = TILE_N / 64;
constexpr int STAGE_BYTES = A_BYTES + B_BOXES * B_BOX_BYTES;
constexpr int C_BOX_BYTES = 64 * 64 * 2, C_BOXES = 2;      /* results that are on their way out, for each consumer */
constexpr int SHARED_BYTES =
    STAGES * STAGE_BYTES + 2 * C_BOXES * C_BOX_BYTES + 1024; /* swizzled boxes begin at multiples of 1 KiB */

static_assert(SHARED_BYTES + 16 * STAGES <= 227 * 1024, "a block has 227 KiB");
static_assert(128 * PRODUCER_REGISTERS + 256 * CONSUMER_REGISTERS <= 65536, "an SM has 65536 registers");

#if HOPPER
/* Where in the ring one is: stage, and the parity of its round. */
struct ring_place { uint32_t stage, parity; };

__device__ static __forceinline__ void ring_advance(struct ring_place *at)
{
    if (++at->stage == STAGES) {
        at->stage = 0;
        at->parity ^= 1;
    }
}

/* What all roles of a block know. Addresses are of shared memory. */
struct block_view { uint32_t ring, results, full, empty; int rank, n_slices, n_tiles, down, across; };

/* Corner of the block's tile in c. A tile counts for the whole cluster: CLUSTER * TILE_M rows. */
template <int CLUSTER>
__device__ static __forceinline__ void tile_place(const struct block_view &v, int tile, int *top, int *left)
{
    constexpr int GROUP = GROUP_ROWS / (CLUSTER * TILE_M);
    const int group = tile / (GROUP * v.across) * GROUP, in_group = tile % (GROUP * v.across);
    const int height = v.down - group < GROUP ? v.down - group : GROUP;

    *top = ((group + in_group % height) * CLUSTER + v.rank) * TILE_M;
    *left = in_group / height * TILE_N;
}

/* One thread: brings all slices of all tiles. */
template <int CLUSTER> __device__ static __forceinline__ void produce(const struct slot_maps &maps, const struct block_view &v)
{
    constexpr int SHARE = B_BOXES / CLUSTER;
    struct ring_place at = { 0, 1 };     /* nothing has been filled: the first round finds its stages empty */
    int is_back = 0;     /* in pairs of blocks every other tile begins with the slice that the one before ended with: L2 has those rows of a */

    for (int tile = blockIdx.x / CLUSTER; tile < v.n_tiles; tile += gridDim.x / CLUSTER, is_back ^= CLUSTER > 1) {
        int top, left;

        tile_place<CLUSTER>(v, tile, &top, &left);
        for (int turn = 0; turn < v.n_slices; turn++, ring_advance(&at)) {
            const int slice = is_back ? v.n_slices - 1 - turn : turn;
            const uint32_t stage = v.ring + at.stage * STAGE_BYTES, full = v.full + 8 * at.stage;

            barrier_wait(v.empty + 8 * at.stage, at.parity);
            barrier_expect(full, STAGE_BYTES);
            tensor_load(stage, &maps.a, slice * TILE_K, top, full);
#pragma unroll
            for (int i = v.rank * SHARE; i < (v.rank + 1) * SHARE; i++) {
                const uint32_t to = stage + A_BYTES + i * B_BOX_BYTES;

                if (CLUSTER > 1)
                    tensor_multicast(to, &maps.b, left + 64 * i, slice * TILE_K, full, (1 << CLUSTER) - 1);
                else
                    tensor_load(to, &maps.b, left + 64 * i, slice * TILE_K, full);
            }
        }
    }
}

/* Starts the four products of one slice for a consumer's 64 rows of a at `a`. */
__device__ static __forceinline__ void slice_multiply(float (&sum)[128], uint32_t a, uint32_t b, int add)
{
    wgmma_begin();
#pragma unroll
    for (int p = 0; p < TILE_K / 16; p++)
        wgmma_64x256x16(sum, tile_descriptor(a + p * 32, 16, 1024), tile_descriptor(b + p * 2048, B_BOX_BYTES, 1024),
                        add || p > 0);
    wgmma_commit();
}

/* This consumer is through with a stage: said to the producers of all blocks, for each of them writes into it. */
template <int CLUSTER> __device__ static __forceinline__ void stage_release(const struct block_view &v, uint32_t stage)
{
    const int thread = threadIdx.x % 128;

    if (CLUSTER == 1 && thread == 0)
        barrier_arrive(v.empty + 8 * stage);
    if (CLUSTER > 1 && thread < CLUSTER)
        barrier_arrive_at(v.empty + 8 * stage, thread);
}

/* A consumer's 64 x 256 sums to c at (top, left), 64 columns at a time; a box is written over when its last copy has read
 * it. */
__device__ static __forceinline__ void sums_store(const float (&sum)[128], const CUtensorMap *c, uint32_t boxes, int top,
                                                  int left)
{
    const int consumer = threadIdx.x / 128 - 1, thread = threadIdx.x % 128, lane = thread % 32;
    const int row = thread / 32 * 16 + lane % 16, half = lane / 16;     /* of the box, for stmatrix */

#pragma unroll
    for (int q = 0; q < TILE_N / 64; q++) {
        const uint32_t box = boxes + q % C_BOXES * C_BOX_BYTES;

        if (thread == 0)
            stores_wait_read<C_BOXES - 1>();
        named_barrier(1 + consumer, 128);
#pragma unroll
        for (int g = 0; g < 4; g++) {
            const int i = 32 * q + 8 * g;

            matrices_store(box + row * 128 + ((2 * g + half) ^ (row & 7)) * 16, pair_of_bf16(sum[i], sum[i + 1]),
                           pair_of_bf16(sum[i + 2], sum[i + 3]), pair_of_bf16(sum[i + 4], sum[i + 5]),
                           pair_of_bf16(sum[i + 6], sum[i + 7]));
        }
        shared_to_copies();
        named_barrier(1 + consumer, 128);
        if (thread == 0)
            tensor_store(c, left + 64 * q, top, box);
    }
}

/* A warpgroup: multiplies all slices of all tiles, 64 rows of each. */
template <int CLUSTER> __device__ static __forceinline__ void consume(const struct slot_maps &maps, const struct block_view &v)
{
    const int consumer = threadIdx.x / 128 - 1;
    struct ring_place at = { 0, 0 };
    float sum[128];

    for (int tile = blockIdx.x / CLUSTER; tile < v.n_tiles; tile += gridDim.x / CLUSTER) {
        uint32_t before = 0;     /* stage whose products may be under way */
        int top, left;

        tile_place<CLUSTER>(v, tile, &top, &left);
        for (int slice = 0; slice < v.n_slices; slice++, ring_advance(&at)) {
            const uint32_t stage = v.ring + at.stage * STAGE_BYTES;

            barrier_wait(v.full + 8 * at.stage, at.parity);
            slice_multiply(sum, stage + consumer * (A_BYTES / 2), stage + A_BYTES, slice > 0);
            wgmma_wait<1>();
            if (slice > 0)
                stage_release<CLUSTER>(v, before);
            before = at.stage;
        }
        wgmma_wait<0>();
        wgmma_settle(sum);
        stage_release<CLUSTER>(v, before);
        sums_store(sum, &maps.c, v.results + consumer * C_BOXES * C_BOX_BYTES, top + 64 * consumer, left);
    }
    if (threadIdx.x % 128 == 0)
        stores_wait();     /* they read shared memory, which ends with the block */
}

/* gemm_specialized - c = a b, 128 x 256 tiles of c, one after the other, on blocks that stay.
 * maps: a (m,k)  b (k,n)  c (m,n): bf16, row-major, device, no overlap; n and k multiples of 8; boxes 128 x 64 of a, 64 x 64
 * of b, c.
 * Launch: block 384, grid CLUSTER * (at most the clusters that fit at once), clusters of CLUSTER, SHARED_BYTES dynamic
 * shared.
 * Cost: 2mnk flop; 2mnk (1/(128 CLUSTER) + 1/256) + 2mn bytes requested from L2.
 * Error: u |c| for the rounding to bf16, u = 2^-8, and k 2^-23 |A||B| for sums that truncate. Source: Higham 2002, section
 * 3.5. */
template <int CLUSTER>
__global__ static void __launch_bounds__(THREADS, 1)
    gemm_specialized(const __grid_constant__ struct slot_maps maps, struct mma_shape of)
{
    extern __shared__ uint4 dynamic[];
    __shared__ uint64_t barriers[2 * STAGES];
    struct block_view v;

    v.ring = (shared_address(dynamic) + 1023) & ~1023u;
    v.results = v.ring + STAGES * STAGE_BYTES;
    v.full = shared_address(barriers);
    v.empty = v.full + 8 * STAGES;
    v.rank = CLUSTER > 1 ? (int)cluster_rank() : 0;
    v.n_slices = (of.k - 1) / TILE_K + 1;
    v.down = (of.m - 1) / (CLUSTER * TILE_M) + 1;
    v.across = (of.n - 1) / TILE_N + 1;
    v.n_tiles = v.down * v.across;
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            barrier_init(v.full + 8 * s, 1);
            barrier_init(v.empty + 8 * s, 2 * CLUSTER);
        }
        barrier_init_fence();
        tensor_prefetch(&maps.a);
        tensor_prefetch(&maps.b);
        tensor_prefetch(&maps.c);
    }
    if (CLUSTER > 1)
        cluster_barrier();
    else
        __syncthreads();
    if (threadIdx.x < 128) {
        registers_give<PRODUCER_REGISTERS>();
        if (threadIdx.x == 0)
            produce<CLUSTER>(maps, v);
        __syncwarp();
    } else {
        registers_take<CONSUMER_REGISTERS>();
        consume<CLUSTER>(maps, v);
    }
    if (CLUSTER > 1)
        cluster_barrier();     /* others still arrive at this block's barriers */
}
#else
template <int CLUSTER> __global__ static void gemm_specialized(const __grid_constant__ struct slot_maps, struct mma_shape)
{
    __trap();
}
#endif

/* Everything but the grid, which comes from the shape. */
template <int CLUSTER>
static cudaLaunchConfig_t specialized_launch(cudaLaunchAttribute *cluster, unsigned n_clusters, void *stream)
{
    cudaLaunchConfig_t launch = {};

    cluster->id = cudaLaunchAttributeClusterDimension;
    cluster->val.clusterDim.x = CLUSTER;
    cluster->val.clusterDim.y = cluster->val.clusterDim.z = 1;
    launch.gridDim = dim3(CLUSTER * n_clusters);
    launch.blockDim = dim3(THREADS);
    launch.dynamicSmemBytes = SHARED_BYTES;
    launch.stream = (cudaStream_t)stream;
    launch.attrs = cluster;
    launch.numAttrs = 1;
    return launch;
}

template <int CLUSTER> static enum aisp_status specialized_setup(const struct aisp_setup *setup)
{
    const enum aisp_status st = hopper_setup(setup, TILE_M, TILE_K, 64);
    cudaLaunchAttribute cluster;
    struct hopper_state *h;

    if (st)
        return st;
    h = (struct hopper_state *)*setup->state;
    AISP_CUDA(cudaFuncSetAttribute(gemm_specialized<CLUSTER>, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES));
    const cudaLaunchConfig_t launch = specialized_launch<CLUSTER>(&cluster, h->n_sms / CLUSTER, setup->stream);
    AISP_CUDA(cudaOccupancyMaxActiveClusters(&h->n_clusters, gemm_specialized<CLUSTER>, &launch));
    return mma_setup();
}

template <int CLUSTER> static enum aisp_status specialized_run(const struct aisp_call *call)
{
    const struct hopper_state *h = (const struct hopper_state *)call->state;
    const int64_t m = call->param[M], n = call->param[N], k = call->param[K];
    const struct mma_shape of = { (int)m, (int)n, (int)k };
    const unsigned n_tiles = aisp_blocks(m, CLUSTER * TILE_M) * aisp_blocks(n, TILE_N), fit = (unsigned)h->n_clusters;
    cudaLaunchAttribute cluster;

    if (h->is_plain)
        return mma_run(call);
    const cudaLaunchConfig_t launch = specialized_launch<CLUSTER>(&cluster, n_tiles < fit ? n_tiles : fit, call->stream);
    AISP_CUDA(cudaLaunchKernelEx(&launch, gemm_specialized<CLUSTER>, h->slot[call->slot], of));
    return AISP_OK;
}

#endif
