/* optimized_block_sparse - blocks of 32 queries by 32 keys in which nobody sees anything are skipped.
 * Expected: a query sees some 80 keys of 384, a block row some four blocks of twelve: 3x.
 * Costs: a table, which the mask has to be turned into first: 144 entries here, for all heads. Whole blocks are computed
 * where one pair is seen: a third of the work. */
#include "block_table.h"

__attribute__((target("avx2,fma"))) static void attend_avx2(const struct aisp_call *call)
{
    const int64_t seq = call->param[SEQ];

    for (int64_t r = 0; r < call->param[HEADS] * seq; r++)
        attend_query(call, r / seq, r % seq, 0);
}

static enum aisp_status run(const struct aisp_call *call)
{
    find_documents(call, call->workspace);
    find_blocks(call);
    (has_avx2() ? attend_avx2 : attend_blocks_portable)(call);
    return AISP_OK;
}

AISP_DECLARE("idea: blocks of which the mask hides all are skipped\n"
             "expect: instructions / 3");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = table_workspace, .run = run };
