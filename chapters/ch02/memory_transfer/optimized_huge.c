/* optimized_huge - the same loop on pages of 2 MiB.
 * Expected: 20 pages instead of 10,240. Hardware prefetchers stop at the end of a page, and each new one costs a walk through
 * the page tables, once in 4 KiB: a few per cent of a stream, more in a virtual machine, whose walks are twice as long: 1.0x to
 * 1.15x.
 * Costs: memory in 2 MiB pieces, which a fragmented machine may not have. */
#include <aisp/variant.h>

#include "convert.h"

static enum aisp_status run(const struct aisp_call *call)
{
    convert(call->tensor[X], call->tensor[Y], call->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: both streams on 2 MiB pages\n"
             "expect: data TLB misses / 100\n"
             "place: x=huge, y=huge");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
