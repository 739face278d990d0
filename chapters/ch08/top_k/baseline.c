/* baseline - sort a copy of the row, take its first k. */
#include <stdlib.h>
#include <string.h>

#include <aisp/variant.h>

#include "problem.h"

static int descending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;

    return (x < y) - (x > y);
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)param[N] * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t rows = call->param[ROWS], n = call->param[N], k = call->param[K];
    float *sorted = call->workspace;

    for (int64_t r = 0; r < rows; r++) {
        float *y = (float *)call->tensor[Y] + r * k;

        memcpy(sorted, (const float *)call->tensor[X] + r * n, (size_t)n * sizeof *sorted);
        qsort(sorted, (size_t)n, sizeof *sorted, descending);
        memcpy(y, sorted, (size_t)k * sizeof *y);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: sort a copy of the row, take its first k");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
