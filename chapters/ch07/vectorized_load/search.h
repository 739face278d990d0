/* search.h - the loop over rows, shared by all variants, and the search byte by byte, for tails and for machines without
 * SIMD. */
#ifndef VECTORIZED_LOAD_SEARCH_H
#define VECTORIZED_LOAD_SEARCH_H

#include <aisp/variant.h>

#include "problem.h"

/* Where the first of n bytes is that is not zero, or n. */
typedef int64_t search(const uint8_t *x, int64_t n);

static inline int64_t search_bytes(const uint8_t *x, int64_t n)
{
    int64_t i = 0;

    while (i < n && !x[i])
        i++;
    return i;
}

static inline enum aisp_status search_all(const struct aisp_call *call, search *find)
{
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    const uint8_t *x = call->tensor[X];
    int32_t *first = call->tensor[FIRST];

    for (int64_t r = 0; r < rows; r++)
        first[r] = (int32_t)find(x + r * cols, cols);
    return AISP_OK;
}

#endif
