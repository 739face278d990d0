/* baseline - the definition: if it is above the level, append it. */
#include "keep.h"

static int64_t keep(const int32_t *x, int64_t n, int32_t level, int32_t *y)
{
    int64_t kept = 0;

    for (int64_t i = 0; i < n; i++)
        if (x[i] > level)
            y[kept++] = x[i];
    return kept;
}

static enum aisp_status run(const struct aisp_call *call)
{
    return keep_all(call, keep);
}

AISP_DECLARE("idea: the definition, a branch for each element");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
