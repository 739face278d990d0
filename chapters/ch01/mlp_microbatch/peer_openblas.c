/* peer_openblas - the fused batch as two cblas_sgemm calls, which start from the biases. */
#include <string.h>

#include <cblas.h>

#include <aisp/variant.h>

#include "kit/openblas.h"
#include "problem.h"
#include "layer.h"

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(param[MICRO] * param[ROWS] * param[HIDDEN]) * sizeof(float);
}

static void layer_gemm(const struct layer *l, const float *x, float *y, int64_t rows)
{
    for (int64_t r = 0; r < rows; r++)
        memcpy(y + r * l->n_out, l->bias, (size_t)l->n_out * sizeof *y);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)rows, (int)l->n_out, (int)l->n_in,
                1.0f, x, (int)l->n_in, l->w, (int)l->n_out, 1.0f, y, (int)l->n_out);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t rows = call->param[MICRO] * call->param[ROWS];
    const int64_t width = call->param[WIDTH], hidden = call->param[HIDDEN];
    const struct layer first = { call->tensor[W1], call->tensor[BIAS1], width, hidden };
    const struct layer second = { call->tensor[W2], call->tensor[BIAS2], hidden, width };
    float *h = call->workspace;

    layer_gemm(&first, call->tensor[X], h, rows);
    relu(h, rows * hidden);
    layer_gemm(&second, h, call->tensor[Y], rows);
    return AISP_OK;
}

AISP_DECLARE("idea: the fused batch as two cblas_sgemm calls\n"
             "uses: library");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .setup = openblas_begin, .run = run };
