/* baseline - the definition: column after column, each a walk down the matrix with a stride of a
 * whole row. */
#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X];
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    float *y = call->tensor[Y];

    for (int64_t c = 0; c < cols; c++) {
        float sum = 0;

        for (int64_t r = 0; r < rows; r++)
            sum += x[r * cols + c];
        y[c] = sum;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: the definition, a strided walk for each column");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
