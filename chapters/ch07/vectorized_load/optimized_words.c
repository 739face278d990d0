/* optimized_words - eight bytes in one load; the lowest bit that is set in the word that is not zero tells which of them it
 * was.
 * Expected: the baseline takes one byte a cycle, a load and two branches; so does this, with eight bytes: 6x to 8x, without any
 * SIMD.
 * Costs: memcpy for loads that are not aligned (no instruction is left of it), little-endian order, a tail. */
#include <string.h>

#include "search.h"

enum { WORD = 8 };

static int64_t search_words(const uint8_t *x, int64_t n)
{
    int64_t i = 0;

    for (; i + WORD <= n; i += WORD) {
        uint64_t eight;

        memcpy(&eight, x + i, sizeof eight);
        if (eight)
            return i + __builtin_ctzll(eight) / 8;
    }
    return i + search_bytes(x + i, n - i);
}

static enum aisp_status run(const struct aisp_call *call)
{
    return search_all(call, search_words);
}

AISP_DECLARE("idea: eight bytes in one load\n"
             "expect: instructions / 7");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
