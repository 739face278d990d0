/* walk.h - the loop that both variants run; they differ in the pages under the table, and in
 * nothing else. */
#ifndef HUGE_PAGES_WALK_H
#define HUGE_PAGES_WALK_H

#include <aisp/variant.h>

#include "problem.h"

/* The place of a 31-bit key in a table of any size: key / 2^31 of the way. */
static inline int64_t place(int32_t key, int64_t entries)
{
    return (int64_t)((uint64_t)(uint32_t)key * (uint64_t)entries >> 31);
}

static inline void walk_all(const struct aisp_call *call)
{
    const int32_t *table = call->tensor[TABLE], *start = call->tensor[START];
    const int64_t entries = call->param[ENTRIES], hops = call->param[HOPS];
    int32_t *end = call->tensor[END];

    for (int64_t w = 0; w < call->param[WALKS]; w++) {
        int32_t key = start[w];

        for (int64_t h = 0; h < hops; h++)
            key = table[place(key, entries)];
        end[w] = key;
    }
}

#endif
