/* partition.h - what the two partitioned rungs share: a block's elements of the long way, brought together and sent back. */
#ifndef BRANCH_DIVERGENCE_PARTITION_H
#define BRANCH_DIVERGENCE_PARTITION_H

#include "ways.h"

/* Elements that are treated at once: all of their lists stay in L1. */
enum { BLOCK = 1024 };

/* The elements of a block that go the long way; room for what a store of whole lanes writes beyond them. */
struct hard {
    float x[BLOCK + GROUPS * LANES];
    int32_t at[BLOCK + GROUPS * LANES];
    int64_t n;
};

/* Evaluates them side by side and puts each result where its element stands. */
__attribute__((target("avx2,popcnt"))) static inline void hard_finish(struct hard *hard, const float *c, float *y)
{
    float result[GROUPS * LANES];

    for (int64_t i = hard->n; i < hard->n + GROUPS * LANES; i++)
        hard->x[i] = 0; /* the last group is filled up */
    for (int64_t i = 0; i < hard->n; i += GROUPS * LANES) {
        const int64_t end = hard->n - i < GROUPS * LANES ? hard->n - i : GROUPS * LANES;
        __m256 v[GROUPS];

        for (int g = 0; g < GROUPS; g++)
            v[g] = _mm256_loadu_ps(hard->x + i + g * LANES);
        long_way_groups(v, c, v);
        for (int g = 0; g < GROUPS; g++)
            _mm256_storeu_ps(result + g * LANES, v[g]);
        for (int64_t j = 0; j < end; j++)
            y[hard->at[i + j]] = result[j];
    }
}

#endif
