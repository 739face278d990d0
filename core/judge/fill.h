/* fill.h - contents and poison, on the host. Device backends make the same bits with kernels of their own.
 * Every element but a permutation's is a pure function of (key, element index): any chunk can be made alone. */
#ifndef AISP_JUDGE_FILL_H
#define AISP_JUDGE_FILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <aisp/problem.h>

#include "core/base/rng.h"

struct aisp_filling {
    struct aisp_fill fill;
    enum aisp_dtype dtype;
    int64_t elements;             /* of the whole tensor */
    struct aisp_philox key;
};

/* Write elements [first, first + n) to tensor + first * element size. A permutation is filled whole: first 0, n = elements.
 * first is a multiple of 64 (so that a chunk starts on a block of the generator and on a cache line). */
void aisp_fill(const struct aisp_filling *what, void *tensor, int64_t first, int64_t n);
bool aisp_fill_is_chunked(const struct aisp_fill *fill);

/* Poison: a 64-byte pattern of the key, repeated from `to`. Floats get quiet NaNs with random payloads, integers random
 * bits. Unwritten is then told from NaN and from zero. */
void aisp_poison(void *to, size_t bytes, enum aisp_dtype dtype, const struct aisp_philox *key);
/* Is element `index` (counted from where the poison began) still the poison? For 1-byte types a chance of 1/256 a byte. */
bool aisp_is_poison(const void *base, int64_t index, enum aisp_dtype dtype, const struct aisp_philox *key);

#endif
