/* count.h - the inner loop that the baseline and the blocked form share, so that only the order of
 * reading differs.
 * The compiler makes SIMD code of it: sums of whole numbers may be reordered. */
#ifndef CACHE_BLOCKING_COUNT_H
#define CACHE_BLOCKING_COUNT_H

#include <stdint.h>

/* n below 2^31. */
static inline int32_t count_below(const float *x, int64_t n, float threshold)
{
    int32_t below = 0;

    for (int64_t i = 0; i < n; i++)
        below += x[i] < threshold;
    return below;
}

#endif
