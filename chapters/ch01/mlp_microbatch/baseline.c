/* baseline - one micro-batch after the other through both layers, as they arrive. */
#include <aisp/variant.h>

#include "problem.h"
#include "layer.h"

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(param[ROWS] * param[HIDDEN]) * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t rows = call->param[ROWS];
    const int64_t width = call->param[WIDTH], hidden = call->param[HIDDEN];
    const struct layer first = { call->tensor[W1], call->tensor[BIAS1], width, hidden };
    const struct layer second = { call->tensor[W2], call->tensor[BIAS2], hidden, width };
    float *h = call->workspace;

    for (int64_t i = 0; i < call->param[MICRO]; i++) {
        layer_forward(&first, (const float *)call->tensor[X] + i * rows * width, h, rows);
        relu(h, rows * hidden);
        layer_forward(&second, h, (float *)call->tensor[Y] + i * rows * width, rows);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: one micro-batch after the other through both layers");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
