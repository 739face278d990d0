/* baseline - the definition: one table, one increment for each key. */
#include "segments.h"

static void count_keys(const uint8_t *key, int64_t n, int32_t *count)
{
    for (int bin = 0; bin < BINS; bin++)
        count[bin] = 0;
    for (int64_t i = 0; i < n; i++)
        count[key[i]]++;
}

static enum aisp_status run(const struct aisp_call *call)
{
    return count_all(call, count_keys);
}

AISP_DECLARE("idea: the definition, one table");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
