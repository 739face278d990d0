/* optimized_private_wide - eight tables, and eight keys from one 64-bit load.
 * Expected: one load instead of eight, and the compiler cannot know that a counter is no key, so
 * that single bytes would each be loaded after the store before them. What is left is one load,
 * one addition and one store for each key: one key a cycle where one store a cycle is the limit.
 * Costs: 8 KiB of tables, a quarter of a small L1; little-endian order. */
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
        table[0][eight & 0xff]++;
        table[1][eight >> 8 & 0xff]++;
        table[2][eight >> 16 & 0xff]++;
        table[3][eight >> 24 & 0xff]++;
        table[4][eight >> 32 & 0xff]++;
        table[5][eight >> 40 & 0xff]++;
        table[6][eight >> 48 & 0xff]++;
        table[7][eight >> 56]++;
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

AISP_DECLARE("idea: eight private tables, eight keys from one 64-bit load\n"
             "expect: loads / 1.8");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
