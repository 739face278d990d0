/* optimized_private - four tables take turns, so that neighbouring keys never meet in one counter.
 * Expected: an increment of a counter that was just stored waits 4 to 8 cycles for that store;
 * with four tables it has to wait only for the fourth key before it. Most on the skewed half, 1.5x
 * to 3x there, little on the even half.
 * Costs: 4 KiB of tables to clear and to add up for each segment. */
#include "segments.h"

enum { TABLES = 4 };

static void count_keys(const uint8_t *key, int64_t n, int32_t *count)
{
    int32_t table[TABLES][BINS] = { { 0 } };
    int64_t i = 0;

    for (; i + TABLES <= n; i += TABLES) {
        table[0][key[i]]++;
        table[1][key[i + 1]]++;
        table[2][key[i + 2]]++;
        table[3][key[i + 3]]++;
    }
    for (; i < n; i++)
        table[0][key[i]]++;
    for (int bin = 0; bin < BINS; bin++)
        count[bin] = table[0][bin] + table[1][bin] + table[2][bin] + table[3][bin];
}

static enum aisp_status run(const struct aisp_call *call)
{
    return count_all(call, count_keys);
}

AISP_DECLARE("idea: four private tables in turn, neighbouring keys never share a counter\n"
             "expect: cycles / 1.5");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
