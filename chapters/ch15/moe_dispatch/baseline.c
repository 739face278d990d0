/* baseline - token after token through the matrix of its expert. */
#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t tokens = call->param[TOKENS], width = call->param[WIDTH];
    const float *weights = call->tensor[WEIGHTS];
    const int32_t *expert = call->tensor[EXPERT];

    for (int64_t t = 0; t < tokens; t++) {
        const float *x = (const float *)call->tensor[X] + t * width, *w = weights + (int64_t)expert[t] * width * width;
        float *restrict y = (float *)call->tensor[Y] + t * width;

        for (int64_t c = 0; c < width; c++)
            y[c] = 0;
        for (int64_t k = 0; k < width; k++)
            for (int64_t c = 0; c < width; c++)
                y[c] += x[k] * w[k * width + c];
    }
    return AISP_OK;
}

AISP_DECLARE("idea: token after token, as they come");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
