/* optimized_rows - four rows at a time: four chains of additions that do not wait for each other.
 * Expected: the baseline is bound by the latency of its additions, 3 or 4 cycles an element; four rows side by side cost a
 * load, an addition and a store each, about one cycle: 2x to 3x. The order of the additions is the same to the last bit.
 * Costs: rows must be independent; four streams are read and four written. */
#include <aisp/variant.h>

#include "problem.h"
#include "scan8.h"

enum { GROUP = 4 };

static void scan_group(const float *restrict x, float *restrict y, int64_t cols)
{
    float a = 0, b = 0, d = 0, e = 0;

    for (int64_t c = 0; c < cols; c++) {
        y[c] = a += x[c];
        y[c + cols] = b += x[c + cols];
        y[c + 2 * cols] = d += x[c + 2 * cols];
        y[c + 3 * cols] = e += x[c + 3 * cols];
    }
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X];
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    float *y = call->tensor[Y];
    int64_t r = 0;

    for (; r + GROUP <= rows; r += GROUP)
        scan_group(x + r * cols, y + r * cols, cols);
    for (; r < rows; r++)
        scan_portable(x + r * cols, y + r * cols, cols, 0);
    return AISP_OK;
}

AISP_DECLARE("idea: four rows at a time overlap the latency of the additions\n"
             "expect: cycles / 2");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
