/* baseline - row by row: unpack and scale the weights of a row into scratch, then the dot product with x. */
#include <aisp/variant.h>

#include "problem.h"

static void unpack(const uint8_t *w, const float *scale, float *to, int64_t cols)
{
    for (int64_t c = 0; c < cols; c += 2) {
        const int low = w[c / 2] & 15, high = w[c / 2] >> 4;

        to[c] = (float)(low - ZERO) * scale[c / GROUP];
        to[c + 1] = (float)(high - ZERO) * scale[c / GROUP];
    }
}

static float dot(const float *a, const float *b, int64_t n)
{
    float sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)param[COLS] * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const uint8_t *w = call->tensor[W];
    const float *scale = call->tensor[SCALE];
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    float *y = call->tensor[Y], *row = call->workspace;

    for (int64_t r = 0; r < rows; r++) {
        unpack(w + r * cols / 2, scale + r * cols / GROUP, row, cols);
        y[r] = dot(row, call->tensor[X], cols);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: unpack a row into f32 scratch, then its dot product with x");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
