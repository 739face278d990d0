/* optimized_lanes - a counter of one byte for each bin and each lane of a warp, in the lane's own bank of shared memory:
 * no two threads ever want the same counter or the same bank, whatever the keys are.
 * Expected: an increment is a load and a store of one step each, no atomic operation that takes a turn for each equal key
 * and for each conflict of banks: skewed keys cost what even ones do, about 14 keys a cycle and multiprocessor: 1.5x to 3x
 * over optimized_private_wide, half of the read roof or more.
 * Measured on an H100 SXM at the large size: 0.71x of optimized_private_wide (1772 against 2505 GB/s); why was
 *   not looked into.
 * Costs: 8 KiB for each warp, which leaves room for 24 of them; after 240 keys a lane the bytes could overflow and are
 * added up, a fourth of all accesses to shared memory. */
#include "segments.cuh"

enum { THREADS = 128, WARPS = THREADS / WARP, GROUP = 5, ROUND = 15, SHARE = 3 * ROUND * VECTOR * THREADS };
enum { BYTES = 4, ROWS = BINS / BYTES, OWN_ROWS = ROWS / WARP };

/* A warp's counters: word `lane` of row r has the lane's counters of keys 4r .. 4r + 3. */
typedef uint32_t lane_counters[ROWS][WARP];

__device__ static inline void count_key(uint8_t *own, unsigned key)
{
    own[key / BYTES * (WARP * BYTES) + key % BYTES]++;
}

__device__ static inline void count_vector(uint8_t *own, uint4 v)
{
#pragma unroll
    for (int i = 0; i < VECTOR; i++)
        count_key(own, key_of(v, i));
}

/* Up to 15 vectors a lane from v + first on; loads run a group ahead of the counting. */
__device__ static inline void count_round(uint8_t *own, const uint4 *v, int64_t first, int64_t n_vectors)
{
    for (int64_t i = first + threadIdx.x; i < first + ROUND * THREADS; i += GROUP * THREADS) {
        uint4 u[GROUP];

#pragma unroll
        for (int k = 0; k < GROUP; k++)
            if (i + k * THREADS < n_vectors)
                u[k] = __ldcs(v + i + k * THREADS);
#pragma unroll
        for (int k = 0; k < GROUP; k++)
            if (i + k * THREADS < n_vectors)
                count_vector(own, u[k]);
    }
}

/* Adds the bytes of rows lane and lane + 32 over all lanes to sum, and clears them. Each lane begins at a bank of its own.
 * 16 bits hold 32 times 242. */
__device__ static void take_counters(lane_counters counters, int lane, int32_t sum[OWN_ROWS][BYTES])
{
    __syncwarp();
#pragma unroll
    for (int k = 0; k < OWN_ROWS; k++) {
        uint32_t *row = counters[k * WARP + lane], even = 0, odd = 0;

#pragma unroll 8
        for (int i = 0; i < WARP; i++) {
            const uint32_t word = row[(i + lane) % WARP];

            row[(i + lane) % WARP] = 0;
            even += word & 0x00ff00ff;
            odd += word >> 8 & 0x00ff00ff;
        }
        sum[k][0] += even & 0xffff;
        sum[k][1] += odd & 0xffff;
        sum[k][2] += even >> 16;
        sum[k][3] += odd >> 16;
    }
    __syncwarp();
}

/* Adds up the warps of the block, in counters that were taken and are zero, and then the block to the row's counts. */
__device__ static void add_to_counts(int32_t *total, int lane, const int32_t sum[OWN_ROWS][BYTES], int32_t *count)
{
    __syncthreads();
    for (int k = 0; k < OWN_ROWS; k++)
        for (int b = 0; b < BYTES; b++)
            atomicAdd(total + (k * WARP + lane) * BYTES + b, sum[k][b]);
    __syncthreads();
    for (int bin = threadIdx.x; bin < BINS; bin += THREADS)
        if (total[bin])
            atomicAdd(count + bin, total[bin]);
}

/* count_lanes - adds to count[row][bin] how many keys of the row are `bin`.
 * even, skewed (segments, n): u8  count (2*segments, 256): i32, device, no overlap, cleared before; fewer than 2^31 blocks.
 * Launch: block 128, grid 2*segments * ceil(n / 92160), 32 KiB static shared memory, the call's stream.
 * Cost: 2*segments*n bytes of global memory read in accesses of 16 bytes; 2.5 accesses to shared memory a key. Exact. */
__global__ static void __launch_bounds__(THREADS) count_lanes(struct keys keys)
{
    __shared__ lane_counters counters[WARPS];
    const struct share share = share_of_block(&keys, SHARE);
    const int64_t head = share_head(&share), n_vectors = (share.n - head) / VECTOR, tail = head + n_vectors * VECTOR;
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    uint8_t *own = (uint8_t *)&counters[warp][0][lane];
    int32_t sum[OWN_ROWS][BYTES] = { { 0 } };
    int64_t first = 0;

    for (int row = 0; row < ROWS; row++)
        counters[warp][row][lane] = 0;
    if (threadIdx.x < head)
        count_key(own, share.key[threadIdx.x]);
    if (threadIdx.x < share.n - tail)
        count_key(own, share.key[tail + threadIdx.x]);
    do { /* also once where there is no whole vector */
        count_round(own, (const uint4 *)(share.key + head), first, n_vectors);
        take_counters(counters[warp], lane, sum);
        first += ROUND * THREADS;
    } while (first < n_vectors);
    add_to_counts((int32_t *)counters[0], lane, sum, share.count);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const struct keys keys = keys_of_call(call);

    if (clear_counts(&keys, aisp_stream(call)))
        return AISP_E_DEVICE;
    count_lanes<<<blocks_of(&keys, SHARE), THREADS, 0, aisp_stream(call)>>>(keys);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: a byte for each bin and lane, in the lane's own bank: neither atomics nor conflicts\n"
             "expect: shared atomic operations / 1000\n"
             "uses: atomics-order");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = NULL, .run = run, .teardown = NULL };
