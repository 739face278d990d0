/* optimized_prefetched - as optimized_block_table, and the next page, which only the table knows, is asked for while this one
 * is worked on.
 * Expected: the hardware's prefetchers follow a stream and stop at the end of a page; each new page costs one wait for far
 * memory before they are in step again. With 16 tokens that is one wait for 4 KiB: 1.05 to 1.3x, the more the smaller the
 * pages are.
 * Costs: 64 prefetches a page, which are instructions too; nothing is gained where the pool is in a near cache. */
#include <aisp/variant.h>

#include "pages.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t heads = call->param[HEADS], dim = call->param[DIM];
    struct part w = { call->tensor[Q], call->tensor[O], dim, dim, 1 / sqrtf((float)dim), 0, 0 };
    struct pages p = { call->tensor[K], call->tensor[V], call->tensor[TABLE], call->param, 0, 0, 1 };
    const int fast = has_avx2();

    for (p.b = 0; p.b < call->param[BATCH]; p.b++)
        for (p.h = 0; p.h < heads; p.h++, w.q += dim, w.o += dim)
            attend_pages(&p, &w, fast);
    return AISP_OK;
}

AISP_DECLARE("idea: the next page in the table is prefetched while this one is worked on\n"
             "expect: cycles / 5");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
