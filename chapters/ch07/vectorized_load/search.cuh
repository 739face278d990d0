/* search.cuh - a warp for each row, shared by the rungs, which differ in how many bytes come with one load; and the search
 * byte by byte, for ends. */
#ifndef VECTORIZED_LOAD_SEARCH_CUH
#define VECTORIZED_LOAD_SEARCH_CUH

#include <aisp/kernel_kit.cuh>

#include "problem.h"

enum { WARP = 32, WARPS = 8 };
enum { ALL = 0xffffffffu }; /* lanes of a warp */

/* Where the first of n bytes is that is not zero, or n; the same in all lanes. */
typedef int search(const uint8_t *x, int n, int lane);

__device__ static inline int search_bytes(const uint8_t *x, int n, int lane)
{
    for (int base = 0; base < n; base += WARP) {
        const unsigned hits = __ballot_sync(ALL, base + lane < n && x[base + lane]);

        if (hits)
            return base + __ffs(hits) - 1;
    }
    return n;
}

/* Bytes before the first address that is a multiple of `width`. */
__device__ static inline int search_head(const uint8_t *x, int n, int width)
{
    const int head = (int)(-(uintptr_t)x % width);

    return head < n ? head : n;
}

/* The place of the first byte of a word that is not zero. */
__device__ static inline int place_in_word(uint64_t word)
{
    return (__ffsll((long long)word) - 1) / 8;
}

__device__ static inline int place_in_vector(uint4 v)
{
    const uint64_t low = (uint64_t)v.y << 32 | v.x, high = (uint64_t)v.w << 32 | v.z;

    return low ? place_in_word(low) : 8 + place_in_word(high);
}

__device__ static inline unsigned any_of(uint4 v)
{
    return v.x | v.y | v.z | v.w;
}

/* 16 bytes a lane, 512 a warp. */
__device__ static inline int search_vectors(const uint8_t *x, int n, int lane)
{
    const int head = search_head(x, n, sizeof(uint4)), n_vectors = (n - head) / (int)sizeof(uint4);
    const int found = search_bytes(x, head, lane), tail = head + n_vectors * (int)sizeof(uint4);

    if (found < head)
        return found;
    for (int base = 0; base < n_vectors; base += WARP) {
        const uint4 v = base + lane < n_vectors ? __ldcs((const uint4 *)(x + head) + base + lane) : make_uint4(0, 0, 0, 0);
        const unsigned hits = __ballot_sync(ALL, any_of(v));

        if (hits) {
            const int first = __ffs(hits) - 1;

            return head + (base + first) * (int)sizeof v + __shfl_sync(ALL, place_in_vector(v), first);
        }
    }
    return tail + search_bytes(x + tail, n - tail, lane);
}

/* find_rows - first[r] = position of the first byte of row r that is not zero, cols if there is none.
 * x (rows, cols): u8  first (rows): i32, device, no overlap; 1 <= rows < 2^34, 1 <= cols < 2^31.
 * Launch: block (32, 8), grid ceil(rows / 8), the call's stream.
 * Cost: rows*cols bytes of global memory at most: a row is read to its first byte that is not zero. Exact. */
template <search SEARCH>
__global__ static void __launch_bounds__(WARP *WARPS) find_rows(const uint8_t *x, int32_t *first, int64_t rows, int cols)
{
    const int64_t r = (int64_t)blockIdx.x * WARPS + threadIdx.y; /* may overhang */

    if (r >= rows)
        return;
    const int found = SEARCH(x + r * cols, cols, threadIdx.x);

    if (threadIdx.x == 0)
        first[r] = found;
}

template <search SEARCH> static inline enum aisp_status find_run(const struct aisp_call *call)
{
    const int64_t rows = call->param[ROWS];

    find_rows<SEARCH><<<aisp_blocks(rows, WARPS), dim3(WARP, WARPS), 0, aisp_stream(call)>>>(
        (const uint8_t *)call->tensor[X], (int32_t *)call->tensor[FIRST], rows, (int)call->param[COLS]);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

#endif
