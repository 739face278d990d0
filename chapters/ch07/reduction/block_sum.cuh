/* block_sum.cuh - the sum over a block by shuffles, and the sum of a row in vectors of four, shared by the rungs. The order of
 * summation depends on sizes alone, so that the same input has the same sum. */
#ifndef REDUCTION_BLOCK_SUM_CUH
#define REDUCTION_BLOCK_SUM_CUH

#include <aisp/kernel_kit.cuh>

#include "problem.h"

enum { WARP = 32, LANES = 4 };

__device__ static inline float warp_sum(float sum)
{
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    return sum;
}

/* Thread 0 gets it. Every thread of a block of THREADS calls this, once in a kernel. */
template <int THREADS> __device__ static inline float block_sum(float sum)
{
    __shared__ float sums[THREADS / WARP];

    sum = warp_sum(sum);
    if (threadIdx.x % WARP == 0)
        sums[threadIdx.x / WARP] = sum;
    __syncthreads();
    if (threadIdx.x >= WARP)
        return 0;
    return warp_sum(threadIdx.x < THREADS / WARP ? sums[threadIdx.x] : 0);
}

__device__ static inline float vector_sum(float4 v)
{
    return (v.x + v.y) + (v.z + v.w);
}

/* A thread's share of a row of n elements, with VECTORS vectors asked for before the first is added. A row begins at any
 * element: up to three of them come before the first whole vector, and up to three after the last. */
template <int THREADS, int VECTORS> __device__ static inline float row_share(const float *row, int64_t n)
{
    const int64_t to_vector = (int64_t)(-((uintptr_t)row / sizeof *row) % LANES), head = to_vector < n ? to_vector : n;
    const int64_t n_vectors = (n - head) / LANES, tail = head + n_vectors * LANES;
    const float4 *v = (const float4 *)(row + head);
    int64_t i = threadIdx.x;
    float sum[VECTORS] = { 0 };

    for (; i + (VECTORS - 1) * THREADS < n_vectors; i += VECTORS * THREADS) {
        float4 u[VECTORS];

        for (int k = 0; k < VECTORS; k++)
            u[k] = __ldcs(v + i + k * THREADS);
        for (int k = 0; k < VECTORS; k++)
            sum[k] += vector_sum(u[k]);
    }
    for (; i < n_vectors; i += THREADS)
        sum[0] += vector_sum(__ldcs(v + i));
    if (threadIdx.x < head)
        sum[0] += row[threadIdx.x];
    if (threadIdx.x < n - tail)
        sum[0] += row[tail + threadIdx.x];
    for (int k = 1; k < VECTORS; k++)
        sum[0] += sum[k];
    return sum[0];
}

#endif
