/* convert.h - the loop that the first two rungs share; they differ in their pages. */
#ifndef MEMORY_TRANSFER_CONVERT_H
#define MEMORY_TRANSFER_CONVERT_H

#include <stdint.h>

#include "problem.h"

static inline void convert(const int8_t *restrict x, float *restrict y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = (float)x[i] * STEP;
}

#endif
