/* optimized_prefetch - the row that is wanted eight keys later is asked for now.
 * Expected: adding a row takes some 60 instructions, so that the window of a core (200 to 500) reaches only three to eight rows
 * ahead and stops at each miss of the TLB; the prefetchers know no pattern in keys. Eight rows of four lines keep as many
 * misses under way as a core has room for: 1.8x to 3x.
 * Costs: four or five instructions more for each row, a distance found by trial: too far, and lines are lost before their
 * use. */
#include <aisp/variant.h>

#include "problem.h"
#include "rows.h"

enum { AHEAD = 8 };

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t entries = call->param[ENTRIES], bags = call->param[BAGS], members = call->param[MEMBERS];
    const float *table = call->tensor[TABLE];
    const int32_t *key = call->tensor[KEY], *last = key + bags * members - 1;
    float *y = call->tensor[Y];

    for (int64_t b = 0; b < bags; b++, y += WIDTH) {
        row_clear(y);
        for (int64_t m = 0; m < members; m++, key++) {
            row_prefetch(table + row_of(last - key > AHEAD ? key[AHEAD] : *last, entries) * WIDTH);
            row_add(y, table + row_of(*key, entries) * WIDTH);
        }
    }
    return AISP_OK;
}

AISP_DECLARE("idea: the row of eight keys later is asked for now\n"
             "expect: cycles / 2.5");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
