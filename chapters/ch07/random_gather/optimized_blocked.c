/* optimized_blocked - the keys are first brought into the order of 256 regions of the table, then row after row is added to the
 * sum of its bag, with the prefetch.
 * Expected: a region of 512 KiB is 128 pages, which the TLB holds, so that most walks through the page tables fall away. What
 * that brings depends on how many keys a region has: here 128, one for a page and none for most lines, so that every line
 * still comes from memory, and the prefetch hides the walks already. Order costs a sixth of the time, and sums that are
 * wanted in any order are loaded and stored for each row: 1.6x to 1.9x over the baseline, 0.8x to 0.9x of optimized_prefetch.
 * It wins where a region's lines are wanted several times while they are near: 1.2x over optimized_prefetch at members=512,
 * one key for a row, and 2x at members=2048.
 * Costs: 8 bytes for each key written and read again, two passes over the keys; all sums (256 KiB) have to stay in L2; the
 * order of summation is another. */
#include <aisp/variant.h>

#include "problem.h"
#include "rows.h"

enum { AHEAD = 8, REGION_BITS = 8, REGIONS = 1 << REGION_BITS };

struct request {
    int32_t key, bag;
};

static int region_of(int32_t key)
{
    return key >> (KEY_BITS - REGION_BITS);
}

/* All requests, those of a region side by side. */
static void sort_requests(const int32_t *key, int64_t bags, int64_t members, struct request *request)
{
    int64_t place[REGIONS] = { 0 }, sum = 0;

    for (int64_t i = 0; i < bags * members; i++)
        place[region_of(key[i])]++;
    for (int region = 0; region < REGIONS; region++) {
        const int64_t n = place[region];

        place[region] = sum;
        sum += n;
    }
    for (int64_t b = 0; b < bags; b++)
        for (int64_t m = 0; m < members; m++, key++)
            request[place[region_of(*key)]++] = (struct request){ *key, (int32_t)b };
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(param[BAGS] * param[MEMBERS]) * sizeof(struct request);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t entries = call->param[ENTRIES], bags = call->param[BAGS], members = call->param[MEMBERS];
    const int64_t n = bags * members;
    const float *table = call->tensor[TABLE];
    struct request *request = call->workspace;
    float *y = call->tensor[Y];

    sort_requests(call->tensor[KEY], bags, members, request);
    for (int64_t b = 0; b < bags; b++)
        row_clear(y + b * WIDTH);
    for (int64_t i = 0; i < n; i++) {
        row_prefetch(table + row_of(request[i + AHEAD < n ? i + AHEAD : n - 1].key, entries) * WIDTH);
        row_add(y + request[i].bag * WIDTH, table + row_of(request[i].key, entries) * WIDTH);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: keys in the order of regions of the table, so that pages are found in the TLB\n"
             "expect: TLB misses / 20");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
