/* baseline - four operations as a framework without a compiler runs them: each reads and writes all of y. */
#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t rows = call->param[ROWS], cols = call->param[COLS], depth = call->param[DEPTH];
    const float *a = call->tensor[A], *w = call->tensor[WEIGHT], *bias = call->tensor[BIAS], *residual = call->tensor[RESIDUAL];
    float *y = call->tensor[Y];

    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < cols; c++)
            y[r * cols + c] = 0;
    for (int64_t r = 0; r < rows; r++)
        for (int64_t k = 0; k < depth; k++)
            for (int64_t c = 0; c < cols; c++)
                y[r * cols + c] += a[r * depth + k] * w[k * cols + c];
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < cols; c++)
            y[r * cols + c] += bias[c];
    for (int64_t i = 0; i < rows * cols; i++)
        y[i] = y[i] > 0 ? y[i] : 0;
    for (int64_t i = 0; i < rows * cols; i++)
        y[i] += residual[i];
    return AISP_OK;
}

AISP_DECLARE("idea: each operation reads and writes all of y");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
