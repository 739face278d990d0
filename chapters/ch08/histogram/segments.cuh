/* segments.cuh - which keys a block counts, the same for all rungs: a segment of either kind is cut into shares, and a
 * block has one share. The counters are cleared before, and blocks add to them. */
#ifndef HISTOGRAM_SEGMENTS_CUH
#define HISTOGRAM_SEGMENTS_CUH

#include <aisp/kernel_kit.cuh>

#include "problem.h"

enum { WARP = 32, VECTOR = 16 };

/* The rows of `count`: segments of even keys, then segments of skewed ones. */
struct share { const uint8_t *key; int64_t n; int32_t *count; };

struct keys { const uint8_t *even, *skewed; int32_t *count; int64_t segments, n; };

/* Blocks are numbered along segments; `each` keys a block. */
__device__ static inline struct share share_of_block(const struct keys *keys, int64_t each)
{
    const int64_t shares = (keys->n + each - 1) / each;
    const int64_t row = blockIdx.x / shares, begin = blockIdx.x % shares * each;
    const int64_t left = keys->n - begin;
    const uint8_t *kind = row < keys->segments ? keys->even + row * keys->n : keys->skewed + (row - keys->segments) * keys->n;

    return { kind + begin, left < each ? left : each, keys->count + row * BINS };
}

/* Keys before the first address that is a multiple of 16 bytes. */
__device__ static inline int64_t share_head(const struct share *share)
{
    const int64_t head = (int64_t)(-(uintptr_t)share->key % VECTOR);

    return head < share->n ? head : share->n;
}

/* Byte i of a vector; i is known when the loop around it is unrolled. */
__device__ static inline unsigned key_of(uint4 v, int i)
{
    const unsigned word = i < 4 ? v.x : i < 8 ? v.y : i < 12 ? v.z : v.w;

    return word >> 8 * (i % 4) & 0xff;
}

static inline struct keys keys_of_call(const struct aisp_call *call)
{
    return { (const uint8_t *)call->tensor[EVEN], (const uint8_t *)call->tensor[SKEWED], (int32_t *)call->tensor[COUNT],
             call->param[SEGMENTS], call->param[N] };
}

static inline unsigned blocks_of(const struct keys *keys, int64_t each)
{
    return (unsigned)(2 * keys->segments) * aisp_blocks(keys->n, each);
}

static inline enum aisp_status clear_counts(const struct keys *keys, cudaStream_t stream)
{
    AISP_CUDA(cudaMemsetAsync(keys->count, 0, (size_t)(2 * keys->segments) * BINS * sizeof *keys->count, stream));
    return AISP_OK;
}

#endif
