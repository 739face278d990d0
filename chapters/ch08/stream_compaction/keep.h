/* keep.h - what the rungs share: the loop over rows, and the portable way to keep elements. */
#ifndef STREAM_COMPACTION_KEEP_H
#define STREAM_COMPACTION_KEEP_H

#include <string.h>

#include <aisp/variant.h>

#include "problem.h"

/* Writes those of n elements that lie above `level` to y and returns their number. May write up to n elements of y. */
typedef int64_t keep_row(const int32_t *x, int64_t n, int32_t level, int32_t *y);

static inline int64_t keep_branchless(const int32_t *x, int64_t n, int32_t level, int32_t *y)
{
    int64_t kept = 0;

    for (int64_t i = 0; i < n; i++) {
        y[kept] = x[i]; /* kept <= i: inside the row, and overwritten by the next if it is not kept */
        kept += x[i] > level;
    }
    return kept;
}

static inline enum aisp_status keep_all(const struct aisp_call *call, keep_row *keep)
{
    const int64_t rows = call->param[ROWS], n = call->param[N];
    const int32_t *level = call->tensor[LEVEL];
    int32_t *count = call->tensor[COUNT];

    for (int64_t r = 0; r < rows; r++) {
        int32_t *y = (int32_t *)call->tensor[Y] + r * n;
        const int64_t kept = keep((const int32_t *)call->tensor[X] + r * n, n, level[r], y);

        memset(y + kept, 0, (size_t)(n - kept) * sizeof *y);
        count[r] = (int32_t)kept;
    }
    return AISP_OK;
}

#endif
