/* baseline - prompt after prompt, each from its first token. */
#include <math.h>
#include <string.h>

#include <aisp/variant.h>

#include "problem.h"

static void advance(const float *w, const float *e, float *h, float *z, int64_t dim)
{
    for (int64_t i = 0; i < dim; i++) {
        float sum = e[i];

        for (int64_t j = 0; j < dim; j++)
            sum += w[i * dim + j] * h[j];
        z[i] = sum;
    }
    for (int64_t i = 0; i < dim; i++)
        h[i] = z[i] / (1 + fabsf(z[i]));
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)param[DIM] * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t depth = call->param[DEPTH], tokens = call->param[TOKENS], dim = call->param[DIM];
    const int32_t *prompt = call->tensor[PROMPT];
    const float *e = call->tensor[E], *w = call->tensor[W];
    float *h = call->tensor[H];

    for (int64_t r = 0; r < call->param[REQUESTS]; r++, h += dim) {
        memset(h, 0, (size_t)dim * sizeof(float));
        for (int64_t s = 0; s < depth; s++)
            for (int64_t t = 0; t < tokens; t++)
                advance(w, e + (prompt[r * depth + s] * tokens + t) * dim, h, call->workspace, dim);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: every prompt from its first token");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
