/* optimized_padded - the image is copied to rows of 1040 floats, one line more than a power of two, and filtered there.
 * Expected: rows are 65 lines apart, so that the sixteen elements of a column lie in sixteen sets and stay: the baseline
 * fetches a line from L2 again for each four of its columns, this once. The copy costs a load and a store where the filter has
 * sixteen loads: 1.8x to 2.1x. (The same copy with rows of 1024 floats is 0.9x: it is the pitch and not the copy.)
 * Costs: workspace as large as x. Where the layout is one's own it is padded from the start, and this costs nothing. */
#include <string.h>

#include <aisp/variant.h>

#include "filter.h"
#include "problem.h"

enum { PITCH = COLS + 16 };

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(param[ROWS] + TAPS - 1) * PITCH * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t rows = call->param[ROWS];
    const float *x = call->tensor[X];
    float *y = call->tensor[Y], *padded = call->workspace;

    for (int64_t r = 0; r < rows + TAPS - 1; r++)
        memcpy(padded + r * PITCH, x + r * COLS, COLS * sizeof *padded);
    for (int64_t r = 0; r < rows; r++)
        filter_portable(padded + r * PITCH, PITCH, call->tensor[W], y + r * COLS, COLS);
    return AISP_OK;
}

AISP_DECLARE("idea: rows one line longer than a power of two, so that a column is spread over the sets of the cache\n"
             "expect: L1 misses / 3");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
