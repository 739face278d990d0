/* optimized_huge - the same code, the table on 2 MiB pages.
 * Expected: 64 pages instead of 32,768; nearly all walks through the page tables disappear, and
 * those that are left are a level shorter and stay in the cache. 1.2x where a virtual machine's
 * host backs it with 4 KiB pages (the TLB then holds the smaller of the two sizes), up to 2x or 3x
 * on bare metal, or where host and guest both use large pages.
 * Costs: memory in 2 MiB pieces, which a fragmented machine may not have; the time to make them. */
#include <aisp/variant.h>

#include "problem.h"
#include "walk.h"

static enum aisp_status run(const struct aisp_call *call)
{
    walk_all(call);
    return AISP_OK;
}

AISP_DECLARE("idea: the table on 2 MiB pages, so that the TLB reaches 512 times as far\n"
             "expect: data TLB misses / 10\n"
             "place: table=huge");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
