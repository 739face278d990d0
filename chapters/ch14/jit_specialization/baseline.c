/* baseline - the loops of the definition, columns innermost, where memory runs on. */
#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t rows = call->param[ROWS], depth = call->param[DEPTH], cols = call->param[COLS];
    const float *d = call->tensor[D], *u = call->tensor[U];
    float *y = call->tensor[Y];

    for (int64_t e = 0; e < call->param[ELEMENTS]; e++, u += depth * cols)
        for (int64_t r = 0; r < rows; r++, y += cols) {
            for (int64_t c = 0; c < cols; c++)
                y[c] = 0;
            for (int64_t k = 0; k < depth; k++)
                for (int64_t c = 0; c < cols; c++)
                    y[c] += d[r * depth + k] * u[k * cols + c];
        }
    return AISP_OK;
}

AISP_DECLARE("idea: three loops whose bounds are variables");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
