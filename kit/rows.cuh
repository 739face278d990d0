/* rows.cuh - a block works on one row of f32: how the row divides into vectors of 16 bytes, accesses that leave no trace in L1,
 * and sums and maxima over a block.
 * Not here: what is computed of a row (the variants).
 * Why head and tail: with an odd number of columns most rows begin between vectors. A row is then up to 3 elements, vectors
 * that lie on 16 bytes, and up to 3 elements; the first 6 threads have one of these each. Every length keeps its wide accesses
 * so. */
#ifndef AISP_KIT_ROWS_CUH
#define AISP_KIT_ROWS_CUH

#include <stdint.h>

enum { ROW_LANES = 4, ROW_WARP = 32 };

/* Elements of a row: [0, head), then `vectors` vectors from `head` on, then `tail` elements. */
struct row_span { int head, vectors, tail; };

/* The span of a row of cols elements whose first is element `first` of a tensor that lies on 16 bytes. */
__device__ static inline struct row_span row_span_of(int64_t first, int cols)
{
    struct row_span s;

    s.head = (int)(-first & (ROW_LANES - 1));
    s.head = s.head < cols ? s.head : cols;
    s.vectors = (cols - s.head) / ROW_LANES;
    s.tail = (cols - s.head) % ROW_LANES;
    return s;
}

/* The element outside the vectors that is thread t's, or -1. */
__device__ static inline int row_edge(const struct row_span *s, int t)
{
    if (t < s->head)
        return t;
    if (t < s->head + s->tail)
        return t + s->vectors * ROW_LANES;
    return -1;
}

/* 16 bytes that nobody writes during the kernel and nobody reads again. */
__device__ static inline float4 row_load_once(const float *x)
{
    float4 v;

    asm("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(x));
    return v;
}

__device__ static inline void row_store_once(float *y, float4 v)
{
    __stcs((float4 *)y, v);
}

__device__ static inline float row_warp_max(float v)
{
    for (int distance = ROW_WARP / 2; distance > 0; distance /= 2)
        v = fmaxf(v, __shfl_xor_sync(~0u, v, distance));
    return v;
}

__device__ static inline float row_warp_sum(float v)
{
    for (int distance = ROW_WARP / 2; distance > 0; distance /= 2)
        v += __shfl_xor_sync(~0u, v, distance);
    return v;
}

/* Of all threads of a block, to all of them. `shared` has a word for each warp, and no other use before the block's next
 * barrier. */
template <int THREADS> __device__ static inline float row_block_max(float v, float *shared)
{
    v = row_warp_max(v);
    if (threadIdx.x % ROW_WARP == 0)
        shared[threadIdx.x / ROW_WARP] = v;
    __syncthreads();
    v = shared[0];
#pragma unroll
    for (int w = 1; w < THREADS / ROW_WARP; w++)
        v = fmaxf(v, shared[w]);
    return v;
}

template <int THREADS> __device__ static inline float row_block_sum(float v, float *shared)
{
    v = row_warp_sum(v);
    if (threadIdx.x % ROW_WARP == 0)
        shared[threadIdx.x / ROW_WARP] = v;
    __syncthreads();
    v = shared[0];
#pragma unroll
    for (int w = 1; w < THREADS / ROW_WARP; w++)
        v += shared[w];
    return v;
}

#endif
