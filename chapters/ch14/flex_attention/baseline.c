/* baseline - attention over all keys of the sequence, with the mask and the score function as parameters: whoever wants
 * another kind of attention passes other functions and writes no kernel. */
#include <math.h>

#include "documents.h"

struct attention {
    const int32_t *document;
    int64_t seq, dim;
    float slope;
    int (*is_seen)(const int32_t *document, int64_t i, int64_t j);
    float (*score)(float s, float slope, int64_t i, int64_t j);
};

/* p has room for seq weights. */
static void attend(const struct attention *a, const float *q, const float *k, const float *v, int64_t i, float *p, float *o)
{
    const float scale = 1 / sqrtf((float)a->dim);
    float max = -INFINITY, sum = 0;

    for (int64_t j = 0; j < a->seq; j++) {
        float dot = 0;

        for (int64_t d = 0; d < a->dim; d++)
            dot += q[i * a->dim + d] * k[j * a->dim + d];
        p[j] = a->is_seen(a->document, i, j) ? a->score(dot * scale, a->slope, i, j) : -INFINITY;
        max = p[j] > max ? p[j] : max;
    }
    for (int64_t j = 0; j < a->seq; j++) {
        p[j] = expf(p[j] - max);
        sum += p[j];
    }
    for (int64_t d = 0; d < a->dim; d++)
        o[i * a->dim + d] = 0;
    for (int64_t j = 0; j < a->seq; j++)
        for (int64_t d = 0; d < a->dim; d++)
            o[i * a->dim + d] += p[j] / sum * v[j * a->dim + d];
}

static size_t workspace_bytes(const int64_t *param)
{
    return documents_bytes(param) + (size_t)param[SEQ] * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t seq = call->param[SEQ], dim = call->param[DIM];
    struct attention a = { call->workspace, seq, dim, 0, is_seen, score };
    float *p = (float *)((char *)call->workspace + documents_bytes(call->param));

    find_documents(call, call->workspace);
    for (int64_t h = 0; h < call->param[HEADS]; h++) {
        const int64_t at = h * seq * dim;

        a.slope = SLOPE_OF(h);
        for (int64_t i = 0; i < seq; i++)
            attend(&a, (const float *)call->tensor[Q] + at, (const float *)call->tensor[K] + at,
                   (const float *)call->tensor[V] + at, i, p, (float *)call->tensor[O] + at);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: dense attention that calls a mask and a score function for each pair");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
