/* optimized_huge_interleaved - 2 MiB pages, and sixteen walks advanced in step.
 * Expected: the loads of one walk wait for each other, those of sixteen walks do not: up to as
 * many misses are under way at once as the core can track (10 to 20), instead of the few that its
 * reordering window happens to reach. On 4 KiB pages the same code is held back by the page table
 * walks. Costs: a group of walks ends together; a tail. */
#include <aisp/variant.h>

#include "problem.h"
#include "walk.h"

enum { GROUP = 16 };

static enum aisp_status run(const struct aisp_call *call)
{
    const int32_t *table = call->tensor[TABLE], *start = call->tensor[START];
    const int64_t entries = call->param[ENTRIES], walks = call->param[WALKS];
    int32_t *end = call->tensor[END];
    int64_t w = 0;

    for (; w + GROUP <= walks; w += GROUP) {
        int32_t key[GROUP];

        for (int i = 0; i < GROUP; i++)
            key[i] = start[w + i];
        for (int64_t h = 0; h < call->param[HOPS]; h++)
            for (int i = 0; i < GROUP; i++)
                key[i] = table[place(key[i], entries)];
        for (int i = 0; i < GROUP; i++)
            end[w + i] = key[i];
    }
    for (; w < walks; w++) {
        int32_t key = start[w];

        for (int64_t h = 0; h < call->param[HOPS]; h++)
            key = table[place(key, entries)];
        end[w] = key;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: 2 MiB pages, and sixteen independent walks in step to overlap their misses\n"
             "expect: cycles / 4\n"
             "place: table=huge");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
