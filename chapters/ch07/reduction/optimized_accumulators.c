/* optimized_accumulators - four running sums for each row, which do not wait for each other.
 * Expected: the baseline is bound by the latency of its additions, 3 or 4 cycles an element; four
 * chains (one SSE register, if the compiler sees it) make that up to 4x, until the memory is the
 * limit. Costs: another order of summation. */
#include <aisp/variant.h>

#include "problem.h"
#include "row_sum.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X];
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    float *y = call->tensor[Y];

    for (int64_t r = 0; r < rows; r++)
        y[r] = row_sum_portable(x + r * cols, cols);
    return AISP_OK;
}

AISP_DECLARE("idea: four independent sums overlap the latency of the additions\n"
             "expect: cycles / 3");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
