/* warp_tables.cuh - a table for each warp, and sixteen keys a thread from one load of 16 bytes: the frame of the rungs
 * that differ in what they do with sixteen keys. */
#ifndef HISTOGRAM_WARP_TABLES_CUH
#define HISTOGRAM_WARP_TABLES_CUH

#include "segments.cuh"

enum { THREADS = 256, WARPS = THREADS / WARP, SHARE = 65536 };

/* Adds sixteen keys of one thread to its warp's table. */
typedef void count_vector(int32_t *table, uint4 keys);

template <count_vector COUNT_VECTOR>
__device__ static inline void count_share(int32_t table[WARPS][BINS], const struct share *share)
{
    const int64_t head = share_head(share), n_vectors = (share->n - head) / VECTOR, tail = head + n_vectors * VECTOR;
    const uint4 *v = (const uint4 *)(share->key + head);
    int32_t *own = table[threadIdx.x / WARP];

    for (int64_t i = threadIdx.x; i < n_vectors; i += THREADS)
        COUNT_VECTOR(own, __ldcs(v + i));
    if (threadIdx.x < head)
        atomicAdd(own + share->key[threadIdx.x], 1);
    if (threadIdx.x < share->n - tail)
        atomicAdd(own + share->key[tail + threadIdx.x], 1);
}

/* count_warps - adds to count[row][bin] how many keys of the row are `bin`.
 * even, skewed (segments, n): u8  count (2*segments, 256): i32, device, no overlap, cleared before; fewer than 2^31 blocks.
 * Launch: block 256, grid 2*segments * ceil(n / 65536), 8 KiB static shared memory, the call's stream.
 * Cost: 2*segments*n bytes of global memory read in accesses of 16 bytes. Exact. */
template <count_vector COUNT_VECTOR> __global__ static void __launch_bounds__(THREADS) count_warps(struct keys keys)
{
    __shared__ int32_t table[WARPS][BINS];
    const struct share share = share_of_block(&keys, SHARE);

    for (int bin = threadIdx.x % WARP; bin < BINS; bin += WARP)
        table[threadIdx.x / WARP][bin] = 0;
    __syncthreads();
    count_share<COUNT_VECTOR>(table, &share);
    __syncthreads();
    for (int bin = threadIdx.x; bin < BINS; bin += THREADS) {
        int32_t sum = 0;

        for (int warp = 0; warp < WARPS; warp++)
            sum += table[warp][bin];
        if (sum)
            atomicAdd(share.count + bin, sum);
    }
}

template <count_vector COUNT_VECTOR> static inline enum aisp_status count_run(const struct aisp_call *call)
{
    const struct keys keys = keys_of_call(call);

    if (clear_counts(&keys, aisp_stream(call)))
        return AISP_E_DEVICE;
    count_warps<COUNT_VECTOR><<<blocks_of(&keys, SHARE), THREADS, 0, aisp_stream(call)>>>(keys);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

#endif
