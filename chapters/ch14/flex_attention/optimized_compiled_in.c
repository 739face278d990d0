/* optimized_compiled_in - the same attention over all keys, but mask and score function are part of the kernel, which can
 * then be written in vectors: what a compiler makes of them.
 * Expected: no two calls for each score; scores, exponentials and values come eight at a time: 4 to 5x. The functions cost
 * five instructions for eight scores, where a score of 32 dimensions costs thirty.
 * Costs: a kernel for each pair of functions, which is why such kernels are generated; AVX2 with FMA. */
#include "blocks.h"

__attribute__((target("avx2,fma"))) static void attend_avx2(struct query *w, int64_t seq)
{
    for (int64_t j = 0; j < seq; j += BLOCK)
        take_block(w, j, seq - j < BLOCK ? seq - j : BLOCK, 1);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t seq = call->param[SEQ];
    const int fast = has_avx2();

    find_documents(call, call->workspace);
    for (int64_t r = 0; r < call->param[HEADS] * seq; r++) {
        struct query w = query_begin(call, r / seq, r % seq);

        if (fast)
            attend_avx2(&w, seq);
        for (int64_t j = 0; j < seq && !fast; j += BLOCK)
            take_block_portable(&w, j, seq - j < BLOCK ? seq - j : BLOCK);
        part_end(&w.part);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: mask and score function compiled into a vector kernel\n"
             "expect: instructions / 5");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = documents_bytes, .run = run };
