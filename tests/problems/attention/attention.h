/* attention.h - softmax(q k' / sqrt(dim)) v over what the mask shows: what the problem and its variants share.
 * q (seq, dim), k and v (cache, dim), mask (seq, cache) u8, y (seq, dim), f32. A row that shows nothing is 0. */
#ifndef TESTS_PROBLEMS_ATTENTION_H
#define TESTS_PROBLEMS_ATTENTION_H

#include <math.h>

#include <aisp/variant.h>

enum { Q, K, V, MASK, Y };
enum { SEQ, CACHE, DIM };
enum { MOST_CACHE = 256 };

/* Scores of one query: -INFINITY where it may not look. Returns the largest. */
static inline float scores(const struct aisp_call *c, int64_t s, const uint8_t *mask, float score[MOST_CACHE])
{
    const int64_t cache = c->param[CACHE], dim = c->param[DIM];
    const float *q = (const float *)c->tensor[Q] + s * dim, *k = c->tensor[K];
    const float scale = 1 / sqrtf((float)dim);
    float most = -INFINITY;

    for (int64_t j = 0; j < cache; j++) {
        float sum = 0;

        for (int64_t d = 0; d < dim; d++)
            sum += q[d] * k[j * dim + d];
        score[j] = mask[j] ? sum * scale : -INFINITY;
        most = score[j] > most ? score[j] : most;
    }
    return most;
}

/* The output of one query, positions [from, cache) only, `most` being taken off the scores. */
static inline void attend(const struct aisp_call *c, int64_t s, const float *score, float most, int64_t from)
{
    const int64_t cache = c->param[CACHE], dim = c->param[DIM];
    const float *v = c->tensor[V];
    float *y = (float *)c->tensor[Y] + s * dim, total = 0;

    for (int64_t d = 0; d < dim; d++)
        y[d] = 0;
    for (int64_t j = from; j < cache; j++) {
        const float p = score[j] == -INFINITY ? 0 : expf(score[j] - most);

        total += p;
        for (int64_t d = 0; d < dim && p > 0; d++)
            y[d] += p * v[j * dim + d];
    }
    for (int64_t d = 0; d < dim && total > 0; d++)
        y[d] /= total;
}

/* Queries [from, to), as they should be computed. */
static inline void attention(const struct aisp_call *c, int64_t from, int64_t to)
{
    const uint8_t *mask = c->tensor[MASK];
    float score[MOST_CACHE];

    for (int64_t s = from; s < to; s++) {
        const float most = scores(c, s, mask + s * c->param[CACHE], score);

        attend(c, s, score, most, 0);
    }
}

#endif
