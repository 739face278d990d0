/* baseline - operator by operator, as a framework without a compiler runs it: each reads a whole tensor and writes a whole
 * tensor. */
#include <aisp/variant.h>

#include "problem.h"

static void scale_columns(const float *x, const float *scale, float *y, int64_t rows, int64_t cols)
{
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < cols; c++)
            y[r * cols + c] = x[r * cols + c] * scale[c];
}

static void add_to_columns(const float *bias, float *y, int64_t rows, int64_t cols)
{
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < cols; c++)
            y[r * cols + c] += bias[c];
}

static void add(const float *x, float *y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] += x[i];
}

static void leaky(float *y, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const float low = y[i] * 0.125f;

        y[i] = y[i] > low ? y[i] : low;
    }
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    float *y = call->tensor[Y];

    scale_columns(call->tensor[X], call->tensor[SCALE], y, rows, cols);
    add_to_columns(call->tensor[BIAS], y, rows, cols);
    add(call->tensor[R], y, rows * cols);
    leaky(y, rows * cols);
    return AISP_OK;
}

AISP_DECLARE("idea: four operators, each a pass over the whole tensor");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
