/* baseline - dense attention and a mask: all scores of a query, those outside of the window set to minus infinity, their
 * softmax, the product with all values. */
#include <math.h>

#include <aisp/variant.h>

#include "problem.h"

static void masked_scores(const float *q, const float *k, float *s, int64_t i, const int64_t *param)
{
    const int64_t seq = param[SEQ], dim = param[DIM];
    const float scale = 1 / sqrtf((float)dim);

    for (int64_t j = 0; j < seq; j++) {
        float dot = 0;

        for (int64_t d = 0; d < dim; d++)
            dot += q[i * dim + d] * k[j * dim + d];
        s[j] = j >= first_key(i, param[WINDOW]) && j <= i ? dot * scale : -INFINITY;
    }
}

static void softmax(float *s, int64_t n)
{
    float max = s[0], sum = 0;

    for (int64_t j = 1; j < n; j++)
        max = s[j] > max ? s[j] : max;
    for (int64_t j = 0; j < n; j++) {
        s[j] = expf(s[j] - max);
        sum += s[j];
    }
    for (int64_t j = 0; j < n; j++)
        s[j] /= sum;
}

static void weighted_sum(const float *restrict s, const float *restrict v, float *restrict o, int64_t seq, int64_t dim)
{
    for (int64_t d = 0; d < dim; d++)
        o[d] = 0;
    for (int64_t j = 0; j < seq; j++)
        for (int64_t d = 0; d < dim; d++)
            o[d] += s[j] * v[j * dim + d];
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)param[SEQ] * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t seq = call->param[SEQ], dim = call->param[DIM];
    float *o = call->tensor[O], *scores = call->workspace;

    for (int64_t i = 0; i < seq; i++) {
        masked_scores(call->tensor[Q], call->tensor[K], scores, i, call->param);
        softmax(scores, seq);
        weighted_sum(scores, call->tensor[V], o + i * dim, seq, dim);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: dense attention, and a mask over its scores");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
