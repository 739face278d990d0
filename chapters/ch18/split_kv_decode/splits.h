/* splits.h - partial results of all splits and heads in the workspace, and how they become one. */
#ifndef SPLIT_KV_DECODE_SPLITS_H
#define SPLIT_KV_DECODE_SPLITS_H

#include <stddef.h>

#include "kit/decode.h"
#include "problem.h"

/* What a split leaves for one head: its maximum, its sum, dim unfinished outputs. */
static inline int64_t splits_of(const int64_t *param)
{
    return (param[SEQ] + MOST_KEYS - 1) / MOST_KEYS;
}

static inline size_t splits_bytes(const int64_t *param)
{
    return (size_t)(splits_of(param) * param[GROUP] * (param[DIM] + 2)) * sizeof(float);
}

/* Partial results of one head, `apart` floats from split to split. */
static inline void combine(const float *parts, int64_t n_splits, int64_t apart, float *restrict o, int64_t dim)
{
    float max = parts[0], sum = 0;

    for (int64_t i = 1; i < n_splits; i++)
        max = parts[i * apart] > max ? parts[i * apart] : max;
    for (int64_t d = 0; d < dim; d++)
        o[d] = 0;
    for (int64_t i = 0; i < n_splits; i++) {
        const float *restrict part = parts + i * apart;
        const float factor = expf(part[0] - max);

        sum += part[1] * factor;
        for (int64_t d = 0; d < dim; d++)
            o[d] += part[2 + d] * factor;
    }
    for (int64_t d = 0; d < dim; d++)
        o[d] /= sum;
}

#endif
