/* optimized_runs - eight equal keys in a row are one addition; all others go to eight private
 * tables.
 * Expected: helps where runs are long (images, sorted or constant data). On a Zipf law without
 * order eight equal keys are one group in hundreds, and the test is paid by all: on this problem
 * about the same as private_wide or a few percent behind it. It is here because it is the usual
 * answer to skew, and because the figures say when it is one.
 * Costs: a comparison and a branch for eight keys. */
#include <string.h>

#include "segments.h"

enum { TABLES = 8 };

static void count_keys(const uint8_t *key, int64_t n, int32_t *count)
{
    int32_t table[TABLES][BINS] = { { 0 } };
    int64_t i = 0;

    for (; i + TABLES <= n; i += TABLES) {
        uint64_t eight;

        memcpy(&eight, key + i, sizeof eight);
        if (eight == (eight & 0xff) * UINT64_C(0x0101010101010101)) {
            table[0][eight & 0xff] += TABLES;
            continue;
        }
        for (int t = 0; t < TABLES; t++)
            table[t][eight >> 8 * t & 0xff]++;
    }
    for (; i < n; i++)
        table[0][key[i]]++;
    for (int bin = 0; bin < BINS; bin++) {
        int32_t sum = 0;

        for (int t = 0; t < TABLES; t++)
            sum += table[t][bin];
        count[bin] = sum;
    }
}

static enum aisp_status run(const struct aisp_call *call)
{
    return count_all(call, count_keys);
}

AISP_DECLARE("idea: runs of eight equal keys are one addition, the rest goes to private tables\n"
             "expect: cycles / 1.4");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
