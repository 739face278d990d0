/* baseline - the three passes of the definition: the maximum; the exponentials and their sum; the
 * division. */
#include <math.h>

#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];

    for (int64_t r = 0; r < rows; r++) {
        const float *x = (const float *)call->tensor[X] + r * cols;
        float *y = (float *)call->tensor[Y] + r * cols;
        float max = x[0], sum = 0;

        for (int64_t c = 1; c < cols; c++)
            max = x[c] > max ? x[c] : max;
        for (int64_t c = 0; c < cols; c++) {
            y[c] = expf(x[c] - max);
            sum += y[c];
        }
        for (int64_t c = 0; c < cols; c++)
            y[c] /= sum;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: three passes over each row, expf of the C library");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
