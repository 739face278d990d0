/* baseline - the definition: one running sum for each row, written out at every step. */
#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X];
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    float *y = call->tensor[Y];

    for (int64_t r = 0; r < rows; r++) {
        float sum = 0;

        for (int64_t c = 0; c < cols; c++) {
            sum += x[r * cols + c];
            y[r * cols + c] = sum;
        }
    }
    return AISP_OK;
}

AISP_DECLARE("idea: the definition, one running sum for each row");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
