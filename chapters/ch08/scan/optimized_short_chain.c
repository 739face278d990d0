/* optimized_short_chain - the sum of a group is spread before the sum so far is added to it, so that from group to group there
 * is one addition and nothing else.
 * Expected: the same bits as optimized_in_register; the chain is 3 or 4 cycles for eight elements instead of 7 to 9, which
 * makes the shuffles and additions the limit, about 5 cycles: 1.8x to 2x in the caches, and from DRAM, where a group moves 96
 * bytes because y is read before it is written, 1.2x to 1.5x.
 * Costs: one addition more. */
#include <aisp/variant.h>

#include "problem.h"
#include "scan8.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X];
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    const int fast = __builtin_cpu_supports("avx2");
    float *y = call->tensor[Y];

    for (int64_t r = 0; r < rows; r++) {
        if (fast)
            scan_row_short(x + r * cols, y + r * cols, cols);
        else
            scan_portable(x + r * cols, y + r * cols, cols, 0);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: only one addition is left on the chain from group to group\n"
             "expect: cycles / 1.2");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
