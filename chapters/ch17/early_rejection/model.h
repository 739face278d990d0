/* model.h - prefill and decode of one request in plain C, and who asks when. */
#ifndef EARLY_REJECTION_MODEL_H
#define EARLY_REJECTION_MODEL_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <aisp/variant.h>

#include "problem.h"

struct ask { int64_t request, at; };

/* The workspace: asks in their order, until when each place is taken, keys and values of one request, scores, a query, k and
 * v. */
struct server {
    const struct aisp_call *call;
    struct ask *ask;
    int64_t *taken_until;
    float *k, *v, *score, *q;
};

static inline int64_t most_tokens(const int64_t *param)
{
    return param[PROMPT] + param[TOKENS];
}

static inline size_t server_bytes(const int64_t *param)
{
    const size_t floats = (size_t)(2 * most_tokens(param) * param[DIM] + most_tokens(param) + param[DIM]) + 64;

    return (size_t)param[REQUESTS] * sizeof(struct ask) + (size_t)param[PLACES] * sizeof(int64_t) + floats * sizeof(float);
}

static inline int earlier(const void *a, const void *b)
{
    const struct ask *x = a, *y = b;

    return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : (x->request > y->request) - (x->request < y->request);
}

static inline void server_open(struct server *s, const struct aisp_call *call)
{
    const int64_t *param = call->param, cached = most_tokens(param) * param[DIM];
    int64_t now = 0;

    s->call = call;
    s->ask = call->workspace;
    s->taken_until = (int64_t *)(s->ask + param[REQUESTS]);
    s->k = (float *)(s->taken_until + param[PLACES]);
    s->v = s->k + cached;
    s->q = s->v + cached;
    s->score = s->q + param[DIM];
    memset(s->taken_until, 0, (size_t)param[PLACES] * sizeof *s->taken_until);
    for (int64_t r = 0; r < param[REQUESTS]; r++) {
        now += gap_of(call->tensor[TRACE], r);
        s->ask[r] = (struct ask){ r, now + prompt_of(call->tensor[TRACE], param, r) };
    }
    qsort(s->ask, (size_t)param[REQUESTS], sizeof *s->ask, earlier);
}

/* A place for a request that asks, or none. */
static inline int takes_place(struct server *s, const struct ask *ask)
{
    for (int64_t p = 0; p < s->call->param[PLACES]; p++)
        if (s->taken_until[p] <= ask->at) {
            s->taken_until[p] = ask->at + answer_of(s->call->tensor[TRACE], s->call->param, ask->request);
            return 1;
        }
    return 0;
}

static inline void multiply(const float *w, const float *x, float *y, int64_t dim)
{
    for (int64_t i = 0; i < dim; i++) {
        float sum = 0;

        for (int64_t j = 0; j < dim; j++)
            sum += w[i * dim + j] * x[j];
        y[i] = sum;
    }
}

/* Keys and values of token t, whose state is x. */
static inline void remember(struct server *s, const float *x, int64_t t)
{
    const int64_t dim = s->call->param[DIM];

    multiply(s->call->tensor[WK], x, s->k + t * dim, dim);
    multiply(s->call->tensor[WV], x, s->v + t * dim, dim);
}

static inline const float *state_of(const struct server *s, int64_t request, int64_t t)
{
    const int32_t *ids = (const int32_t *)s->call->tensor[IDS] + request * s->call->param[PROMPT];

    return (const float *)s->call->tensor[E] + ids[t] * s->call->param[DIM];
}

static inline void prefill(struct server *s, int64_t request)
{
    const int64_t n = prompt_of(s->call->tensor[TRACE], s->call->param, request);

    for (int64_t t = 0; t < n; t++)
        remember(s, state_of(s, request, t), t);
}

/* o += attention of s->q over the first n tokens. */
static inline void attend(struct server *s, float *o, int64_t n)
{
    const int64_t dim = s->call->param[DIM];
    const float scale = 1 / sqrtf((float)dim);
    float max = -INFINITY, sum = 0;

    for (int64_t t = 0; t < n; t++) {
        float dot = 0;

        for (int64_t d = 0; d < dim; d++)
            dot += s->q[d] * s->k[t * dim + d];
        s->score[t] = dot * scale;
        max = fmaxf(max, s->score[t]);
    }
    for (int64_t t = 0; t < n; t++)
        sum += s->score[t] = expf(s->score[t] - max);
    for (int64_t t = 0; t < n; t++)
        for (int64_t d = 0; d < dim; d++)
            o[d] += s->score[t] / sum * s->v[t * dim + d];
}

static inline float *answer_row(const struct server *s, int64_t request)
{
    return (float *)s->call->tensor[Y] + request * s->call->param[DIM];
}

static inline void squash(float *h, int64_t dim)
{
    for (int64_t d = 0; d < dim; d++)
        h[d] /= 1 + fabsf(h[d]);
}

static inline void decode(struct server *s, int64_t request)
{
    const int64_t dim = s->call->param[DIM], prompt = prompt_of(s->call->tensor[TRACE], s->call->param, request);
    const int64_t end = prompt + answer_of(s->call->tensor[TRACE], s->call->param, request);
    float *h = answer_row(s, request);

    memcpy(h, state_of(s, request, prompt - 1), (size_t)dim * sizeof *h);
    for (int64_t t = prompt; t < end; t++) {
        multiply(s->call->tensor[WQ], h, s->q, dim);
        for (int64_t d = 0; d < dim; d++)
            h[d] /= 2;
        attend(s, h, t);
        squash(h, dim);
        if (t + 1 < end)
            remember(s, h, t);
    }
}

static inline void refuse(struct server *s, int64_t request)
{
    memset(answer_row(s, request), 0, (size_t)s->call->param[DIM] * sizeof(float));
}

#endif
