/* baseline - head after head: all scores into scratch, their softmax, the weighted sum of the values. */
#include <math.h>

#include <aisp/variant.h>

#include "problem.h"

static void scores_of(const float *q, const float *k, float *s, int64_t seq, int64_t dim)
{
    const float scale = 1 / sqrtf((float)dim);

    for (int64_t j = 0; j < seq; j++) {
        float dot = 0;

        for (int64_t d = 0; d < dim; d++)
            dot += q[d] * k[j * dim + d];
        s[j] = dot * scale;
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
    const float *q = call->tensor[Q], *k = call->tensor[K], *v = call->tensor[V];
    const int64_t group = call->param[GROUP], heads = call->param[KV_HEADS] * group;
    const int64_t seq = call->param[SEQ], dim = call->param[DIM];
    float *o = call->tensor[O], *scores = call->workspace;

    for (int64_t h = 0; h < heads; h++) {
        const int64_t cached = h / group * seq * dim;

        scores_of(q + h * dim, k + cached, scores, seq, dim);
        softmax(scores, seq);
        weighted_sum(scores, v + cached, o + h * dim, seq, dim);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: head after head over the whole cache of its group: scores, softmax, weighted sum");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
