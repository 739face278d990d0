/* baseline - layer after layer in f32, a dot product for each row. */
#include <math.h>
#include <string.h>

#include <aisp/variant.h>

#include "problem.h"

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)param[WIDTH] * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t width = call->param[WIDTH];
    const float *w = call->tensor[W], *gain = call->tensor[GAIN];
    float *h = call->tensor[Y], *f = call->workspace;

    memcpy(h, call->tensor[X], (size_t)width * sizeof *h);
    for (int64_t l = 0; l < call->param[LAYERS]; l++) {
        for (int64_t i = 0; i < width; i++)
            f[i] = h[i] / (1 + fabsf(h[i]));
        for (int64_t i = 0; i < width; i++, w += width) {
            float sum = 0;

            for (int64_t j = 0; j < width; j++)
                sum += w[j] * f[j];
            h[i] += gain[l] * sum;
        }
    }
    return AISP_OK;
}

AISP_DECLARE("idea: every layer in f32, a dot product for each row");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
