/* lanes.h - 32 lanes, each with an item or none, that go ahead together; AVX2, or plain C that compilers turn into what
 * they can.
 * Not here: which item a lane gets when: that is what the rungs differ in.
 * Lanes look up only every STRIDE rounds: a lane whose item ends before keeps its number and idles for the rest, 3.5 rounds
 * of 75 on the average, and in return nothing is asked after each round. */
#ifndef WORK_QUEUE_LANES_H
#define WORK_QUEUE_LANES_H

#include <immintrin.h>

#include <aisp/variant.h>

#include "problem.h"

enum { LANES = 32, WIDTH = 8, VECTORS = LANES / WIDTH, STRIDE = 8, NO_ITEM = -1 };

struct lanes {
    _Alignas(32) uint32_t x[LANES];
    _Alignas(32) int32_t left[LANES]; /* rounds still to go, 0 or less: free */
    int64_t item[LANES];              /* or NO_ITEM */
};

static inline void lanes_init(struct lanes *l)
{
    for (int i = 0; i < LANES; i++) {
        l->x[i] = 0;
        l->left[i] = 0;
        l->item[i] = NO_ITEM;
    }
}

/* STRIDE rounds for every lane that has as many left. Returns a bit for each lane that is free now. */
static inline uint32_t lanes_go_portable(struct lanes *l)
{
    uint32_t is_free = 0;

    for (int i = 0; i < LANES; i++) {
        const int32_t n = l->left[i] < STRIDE ? l->left[i] : STRIDE;

        for (int32_t r = 0; r < n; r++)
            l->x[i] = (l->x[i] ^ l->x[i] >> 15) * ROUND_MULTIPLIER + ROUND_INCREMENT;
        l->left[i] -= STRIDE;
        is_free |= (uint32_t)(l->left[i] <= 0) << i;
    }
    return is_free;
}

__attribute__((target("avx2"))) static inline uint32_t lanes_go_avx2(struct lanes *l)
{
    const __m256i a = _mm256_set1_epi32((int32_t)ROUND_MULTIPLIER), c = _mm256_set1_epi32((int32_t)ROUND_INCREMENT);
    const __m256i one = _mm256_set1_epi32(1), none = _mm256_setzero_si256();
    __m256i x[VECTORS], left[VECTORS];
    uint32_t is_busy = 0;

#pragma GCC unroll 4
    for (int v = 0; v < VECTORS; v++) {
        x[v] = _mm256_load_si256((const __m256i *)(l->x + v * WIDTH));
        left[v] = _mm256_load_si256((const __m256i *)(l->left + v * WIDTH));
    }
    for (int r = 0; r < STRIDE; r++) {
#pragma GCC unroll 4
        for (int v = 0; v < VECTORS; v++) {
            const __m256i mixed = _mm256_mullo_epi32(_mm256_xor_si256(x[v], _mm256_srli_epi32(x[v], 15)), a);

            x[v] = _mm256_blendv_epi8(x[v], _mm256_add_epi32(mixed, c), _mm256_cmpgt_epi32(left[v], none));
            left[v] = _mm256_sub_epi32(left[v], one);
        }
    }
#pragma GCC unroll 4
    for (int v = 0; v < VECTORS; v++) {
        const __m256i busy = _mm256_cmpgt_epi32(left[v], none);

        _mm256_store_si256((__m256i *)(l->x + v * WIDTH), x[v]);
        _mm256_store_si256((__m256i *)(l->left + v * WIDTH), left[v]);
        is_busy |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(busy)) << v * WIDTH;
    }
    return ~is_busy;
}

static inline uint32_t lanes_go(struct lanes *l, int fast)
{
    return fast ? lanes_go_avx2(l) : lanes_go_portable(l);
}

/* What lane i has finished, if anything, goes to its place. */
static inline void lane_put(struct lanes *l, int i, int32_t *hash)
{
    if (l->item[i] != NO_ITEM)
        hash[l->item[i]] = (int32_t)l->x[i];
    l->item[i] = NO_ITEM;
}

static inline void lane_take(struct lanes *l, int i, int64_t item, const int32_t *seed, const int32_t *rounds)
{
    l->item[i] = item;
    l->x[i] = (uint32_t)seed[item];
    l->left[i] = rounds[item];
}

#endif
