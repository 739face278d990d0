/* row_sum.h - the pieces that the SIMD rungs share. */
#ifndef REDUCTION_ROW_SUM_H
#define REDUCTION_ROW_SUM_H

#include <stdint.h>

#include "kit/lanes.h"

/* Four independent sums, for machines without AVX2. */
static inline float row_sum_portable(const float *x, int64_t n)
{
    float s[4] = { 0 };
    int64_t i = 0;

    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            s[k] += x[i + k];
    for (; i < n; i++)
        s[0] += x[i];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

#endif
