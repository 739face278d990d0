/* baseline - the pages of a sequence are copied into one piece, then a head at a time is attended to: scores, softmax,
 * weighted sum. */
#include <math.h>

#include <aisp/variant.h>

#include "gather.h"

static void scores_of(const float *q, const float *k, float *s, int64_t seq, int64_t dim)
{
    const float scale = 1 / sqrtf((float)dim);

    for (int64_t t = 0; t < seq; t++) {
        float dot = 0;

        for (int64_t d = 0; d < dim; d++)
            dot += q[d] * k[t * dim + d];
        s[t] = dot * scale;
    }
}

static void softmax(float *s, int64_t n)
{
    float max = s[0], sum = 0;

    for (int64_t t = 1; t < n; t++)
        max = s[t] > max ? s[t] : max;
    for (int64_t t = 0; t < n; t++) {
        s[t] = expf(s[t] - max);
        sum += s[t];
    }
    for (int64_t t = 0; t < n; t++)
        s[t] /= sum;
}

static void weighted_sum(const float *restrict s, const float *restrict v, float *restrict o, int64_t seq, int64_t dim)
{
    for (int64_t d = 0; d < dim; d++)
        o[d] = 0;
    for (int64_t t = 0; t < seq; t++)
        for (int64_t d = 0; d < dim; d++)
            o[d] += s[t] * v[t * dim + d];
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(2 * gathered_floats(param) + param[SEQ]) * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t heads = call->param[HEADS], seq = call->param[SEQ], dim = call->param[DIM];
    float *k = call->workspace, *v = k + gathered_floats(call->param), *scores = v + gathered_floats(call->param);
    const float *q = call->tensor[Q];
    float *o = call->tensor[O];

    for (int64_t b = 0; b < call->param[BATCH]; b++) {
        gather(call->tensor[K], call->tensor[TABLE], b, k, call->param);
        gather(call->tensor[V], call->tensor[TABLE], b, v, call->param);
        for (int64_t h = 0; h < heads; h++, q += dim, o += dim) {
            scores_of(q, k + h * seq * dim, scores, seq, dim);
            softmax(scores, seq);
            weighted_sum(scores, v + h * seq * dim, o, seq, dim);
        }
    }
    return AISP_OK;
}

AISP_DECLARE("idea: pages are copied into one piece, then scores, softmax and weighted sum of each head");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
