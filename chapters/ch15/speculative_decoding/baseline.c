/* baseline - token by token, layer by layer, row by row. The compiler makes vectors of the products by itself. */
#include "model.h"

/* s of all layers, the result of a product, x. */
static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(param[LAYERS] * param[DIM] + param[DIM] + param[VOCAB]) * sizeof(int32_t)
         + (size_t)param[DIM] * sizeof(int16_t);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t layers = call->param[LAYERS], dim = call->param[DIM], vocab = call->param[VOCAB];
    int32_t *s = call->workspace, *u = s + layers * dim, *token = call->tensor[TOKEN], last = 0;
    int16_t *x = (int16_t *)(u + dim + vocab);

    memcpy(s, call->tensor[STATE], (size_t)(layers * dim) * sizeof *s);
    for (int64_t t = 0; t < call->param[TOKENS]; t++) {
        embed(call, last, t, x);
        for (int64_t l = 0; l < layers; l++) {
            product_plain((const int16_t *)call->tensor[W] + l * dim * dim, dim, dim, x, u);
            remember(s + l * dim, s + l * dim, x, u, dim);
        }
        product_plain(call->tensor[U], vocab, dim, x, u);
        token[t] = last = greatest(u, vocab);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: token by token");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
