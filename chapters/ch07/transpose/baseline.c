/* baseline - row by row: reads run along cache lines, writes stride by a whole row and touch a new
 * line each. */
#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X];
    float *y = call->tensor[Y];
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];

    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < cols; c++)
            y[c * rows + r] = x[r * cols + c];
    return AISP_OK;
}

AISP_DECLARE("idea: the definition, loop order as written");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
