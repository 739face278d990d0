/* baseline - the definition in three steps: all scores into a seq x seq matrix, the softmax of its rows, the product with v. */
#include <math.h>

#include <aisp/variant.h>

#include "problem.h"

static void scores_of(const float *q, const float *k, float *s, int64_t seq, int64_t dim)
{
    const float scale = 1 / sqrtf((float)dim);

    for (int64_t i = 0; i < seq; i++)
        for (int64_t j = 0; j < seq; j++) {
            float dot = 0;

            for (int64_t d = 0; d < dim; d++)
                dot += q[i * dim + d] * k[j * dim + d];
            s[i * seq + j] = dot * scale;
        }
}

static void softmax_of_rows(float *s, int64_t seq)
{
    for (int64_t i = 0; i < seq; i++, s += seq) {
        float max = s[0], sum = 0;

        for (int64_t j = 1; j < seq; j++)
            max = s[j] > max ? s[j] : max;
        for (int64_t j = 0; j < seq; j++) {
            s[j] = expf(s[j] - max);
            sum += s[j];
        }
        for (int64_t j = 0; j < seq; j++)
            s[j] /= sum;
    }
}

static void weighted_sums(const float *restrict s, const float *restrict v, float *restrict o, int64_t seq, int64_t dim)
{
    for (int64_t i = 0; i < seq; i++) {
        for (int64_t d = 0; d < dim; d++)
            o[i * dim + d] = 0;
        for (int64_t j = 0; j < seq; j++)
            for (int64_t d = 0; d < dim; d++)
                o[i * dim + d] += s[i * seq + j] * v[j * dim + d];
    }
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(param[SEQ] * param[SEQ]) * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t seq = call->param[SEQ], dim = call->param[DIM];
    float *scores = call->workspace;

    scores_of(call->tensor[Q], call->tensor[K], scores, seq, dim);
    softmax_of_rows(scores, seq);
    weighted_sums(scores, call->tensor[V], call->tensor[O], seq, dim);
    return AISP_OK;
}

AISP_DECLARE("idea: all scores, the softmax of their rows, the product with v: three passes over a seq x seq matrix");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
