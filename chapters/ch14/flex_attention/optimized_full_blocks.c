/* optimized_full_blocks - and blocks in which everybody sees all go without the mask.
 * Expected: nothing here, 0.97 to 1.03x: of the blocks that are left a third are full, and of their work the mask is one
 * instruction in twenty, for documents are compared eight at a time. A mask that has to be computed (a hash, a distance on
 * a grid) or read (a matrix of bits) would make it worth something.
 * Costs: the kernel exists twice. */
#include "block_table.h"

__attribute__((target("avx2,fma"))) static void attend_avx2(const struct aisp_call *call)
{
    const int64_t seq = call->param[SEQ];

    for (int64_t r = 0; r < call->param[HEADS] * seq; r++)
        attend_query(call, r / seq, r % seq, 1);
}

static enum aisp_status run(const struct aisp_call *call)
{
    find_documents(call, call->workspace);
    find_blocks(call);
    (has_avx2() ? attend_avx2 : attend_blocks_portable)(call);
    return AISP_OK;
}

AISP_DECLARE("idea: blocks of which the mask hides nothing go without it\n"
             "expect: instructions / 1.02 of optimized_block_sparse");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = table_workspace, .run = run };
