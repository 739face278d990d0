/* baseline - operator by operator through scratch, as a framework without a compiler runs it: add, square, mean of rows,
 * scale of rows, scale of columns; each reads and writes whole tensors. */
#include <math.h>

#include <aisp/variant.h>

#include "problem.h"

static void add(const float *a, const float *b, float *to, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = a[i] + b[i];
}

static void square(const float *a, float *to, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = a[i] * a[i];
}

static void mean_of_rows(const float *a, float *to, int64_t rows, int64_t cols)
{
    for (int64_t r = 0; r < rows; r++) {
        float sum = 0;

        for (int64_t c = 0; c < cols; c++)
            sum += a[r * cols + c];
        to[r] = sum / (float)cols;
    }
}

static void scale_rows(const float *a, const float *mean, float *to, int64_t rows, int64_t cols)
{
    for (int64_t r = 0; r < rows; r++) {
        const float factor = 1 / sqrtf(mean[r] + EPSILON);

        for (int64_t c = 0; c < cols; c++)
            to[r * cols + c] = a[r * cols + c] * factor;
    }
}

static void scale_columns(const float *a, const float *g, float *to, int64_t rows, int64_t cols)
{
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < cols; c++)
            to[r * cols + c] = a[r * cols + c] * g[c];
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(param[ROWS] * param[COLS] + param[ROWS]) * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t rows = call->param[ROWS], cols = call->param[COLS], n = rows * cols;
    float *h = call->tensor[H], *scratch = call->workspace, *mean = scratch + n;

    add(call->tensor[X], call->tensor[R], h, n);
    square(h, scratch, n);
    mean_of_rows(scratch, mean, rows, cols);
    scale_rows(h, mean, scratch, rows, cols);
    scale_columns(scratch, call->tensor[G], call->tensor[Y], rows, cols);
    return AISP_OK;
}

AISP_DECLARE("idea: five operators, each a pass over whole tensors, with a scratch tensor between them");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
