/* baseline - keys and values stay where they are: step by step and head by head, the scores into scratch, their softmax, the
 * weighted sum of the values. */
#include <math.h>

#include <aisp/variant.h>

#include "problem.h"

static void scores_of(const float *q, const float *k, float *s, const int64_t *param)
{
    const int64_t dim = param[DIM], token = param[HEADS] * dim;
    const float scale = 1 / sqrtf((float)dim);

    for (int64_t t = 0; t < param[TOKENS]; t++) {
        float dot = 0;

        for (int64_t d = 0; d < dim; d++)
            dot += q[d] * k[t * token + d];
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

static void weighted_sum(const float *restrict s, const float *restrict v, float *restrict o, const int64_t *param)
{
    const int64_t dim = param[DIM], token = param[HEADS] * dim;

    for (int64_t d = 0; d < dim; d++)
        o[d] = 0;
    for (int64_t t = 0; t < param[TOKENS]; t++)
        for (int64_t d = 0; d < dim; d++)
            o[d] += s[t] * v[t * token + d];
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(param[TOKENS] + param[DIM]) * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *q = call->tensor[Q], *k = call->tensor[K], *v = call->tensor[V];
    const int64_t heads = call->param[HEADS], dim = call->param[DIM], row = heads * dim;
    float *o = call->tensor[O], *scores = call->workspace, *query = scores + call->param[TOKENS];

    for (int64_t s = 0; s < call->param[STEPS]; s++, q += row, o += row)
        for (int64_t h = 0; h < heads; h++) {
            for (int64_t d = 0; d < dim; d++)
                query[d] = q[h * dim + d] + (s ? o[(h + 1) % heads * dim + d - row] : 0);
            scores_of(query, k + h * dim, scores, call->param);
            softmax(scores, call->param[TOKENS]);
            weighted_sum(scores, v + h * dim, o + h * dim, call->param);
        }
    return AISP_OK;
}

AISP_DECLARE("idea: step by step and head by head over keys and values as they come");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
