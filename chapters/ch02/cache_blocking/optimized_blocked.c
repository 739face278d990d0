/* optimized_blocked - all questions are asked of a block of 16 KiB before the next block is
 * touched.
 * Expected: x comes from DRAM once instead of once per question, the other readings from L1; the
 * gain ends where the comparisons themselves take longer than the reading. Costs: one more loop,
 * and partial counts in memory. */
#include <aisp/variant.h>

#include "problem.h"
#include "count.h"

enum { BLOCK = 4096 }; /* 16 KiB: half of the smallest L1 around */

static enum aisp_status run(const struct aisp_call *call)
{
    const float *threshold = call->tensor[THRESHOLD], *x = call->tensor[X];
    const int64_t queries = call->param[QUERIES], n = call->param[N];
    int32_t *count = call->tensor[COUNT];

    for (int64_t q = 0; q < queries; q++)
        count[q] = 0;
    for (int64_t i = 0; i < n; i += BLOCK) {
        const int64_t length = n - i < BLOCK ? n - i : BLOCK;

        for (int64_t q = 0; q < queries; q++)
            count[q] += count_below(x + i, length, threshold[q]);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: all questions of one 16 KiB block before the next block\n"
             "expect: DRAM read bytes / queries");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
