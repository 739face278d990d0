/* optimized_sequential - the two loops change places: each row is added to all sums at once.
 * Expected: each line of x is read once and used whole instead of one sixteenth of it, in the
 * order that prefetchers follow, and the compiler makes SIMD code of the inner loop: 5x to 20x.
 * Costs: the sums (4 KiB) are read and written for each row; they stay in L1. */
#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const float *restrict x = call->tensor[X];
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    float *restrict y = call->tensor[Y];

    for (int64_t c = 0; c < cols; c++)
        y[c] = 0;
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < cols; c++)
            y[c] += x[r * cols + c];
    return AISP_OK;
}

AISP_DECLARE("idea: along the rows, adding each to all column sums\n"
             "expect: L1 fills / 16");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
