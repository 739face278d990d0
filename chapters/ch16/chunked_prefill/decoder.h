/* decoder.h - requests under way: prompts that go into a cache, any number of tokens at a time, and steps, of which each
 * answer gets one token. The rungs differ in what comes when.
 * A sequence has its place in the cache for the whole call, so that none waits for room. */
#ifndef CHUNKED_PREFILL_DECODER_H
#define CHUNKED_PREFILL_DECODER_H

#include <string.h>

#include <aisp/variant.h>

#include "kit/serve.h"
#include "problem.h"

/* in_cache: tokens of prompt and answer; last: the newest token, which is not in the cache yet. */
struct sequence {
    const int32_t *row;
    int16_t *k, *v;
    int64_t n_prompt, n_answer, in_cache;
    int32_t request, n_emitted, last;
};

/* answering: those whose first token has left and whose last has not. */
struct decoder {
    const struct aisp_call *call;
    struct door door;
    struct sequence *sequence, **answering;
    int64_t dim, places, n_answering, n_ended;
    int16_t *cache, *x, *q, *o, *score;
    int32_t *sum;
};

static inline int64_t places_of(const int64_t *param)
{
    return param[PROMPT] + param[TOKENS];
}

static inline size_t decoder_bytes(const int64_t *param)
{
    const size_t one = sizeof(struct sequence) + sizeof(struct sequence *)
                       + (size_t)(2 * places_of(param) * param[DIM]) * sizeof(int16_t);

    return (size_t)param[REQUESTS] * one + (size_t)param[DIM] * (sizeof(int32_t) + 3 * sizeof(int16_t))
           + (size_t)places_of(param) * sizeof(int16_t);
}

static inline void decoder_open(struct decoder *d, const struct aisp_call *call)
{
    const int64_t requests = call->param[REQUESTS], dim = call->param[DIM];

    memset(d, 0, sizeof *d);
    d->call = call;
    d->door = door_of(call->tensor[ARRIVALS], call->param[PROMPT] + HEAD, requests);
    d->dim = dim;
    d->places = places_of(call->param);
    d->sequence = call->workspace;
    d->answering = (struct sequence **)(d->sequence + requests);
    d->sum = (int32_t *)(d->answering + requests);
    d->cache = (int16_t *)(d->sum + dim);
    d->x = d->cache + requests * 2 * d->places * dim;
    d->q = d->x + dim;
    d->o = d->q + dim;
    d->score = d->o + dim;
}

static inline int is_open(const struct decoder *d)
{
    return d->n_ended < d->door.requests;
}

/* The next request that is there, or NULL. */
static inline struct sequence *take(struct decoder *d)
{
    const int32_t request = door_take(&d->door);
    struct sequence *s;

    if (request < 0)
        return NULL;
    s = d->sequence + request;
    s->row = door_row(&d->door, request);
    s->k = d->cache + request * 2 * d->places * d->dim;
    s->v = s->k + d->places * d->dim;
    s->n_prompt = prompt_length(d->call->param, s->row);
    s->n_answer = answer_length(d->call->param, s->row);
    s->request = request;
    s->in_cache = s->n_emitted = 0;
    return s;
}

static inline int16_t limited(int32_t a)
{
    return (int16_t)(a > LIMIT ? LIMIT : a < -LIMIT ? -LIMIT : a);
}

/* Apart, for the compiler spills what the loop needs where it is taken into a larger function. */
__attribute__((noinline)) static int32_t dot(const int16_t *w, const int16_t *x, int64_t dim)
{
    int32_t sum = 0;

    for (int64_t i = 0; i < dim; i++)
        sum += w[i] * x[i];
    return sum;
}

static inline void project(const struct decoder *d, int matrix, const int16_t *x, int16_t *y)
{
    const int16_t *w = d->call->tensor[matrix];

    for (int64_t i = 0; i < d->dim; i++)
        y[i] = limited(dot(w + i * d->dim, x, d->dim) >> SHIFT);
}

/* k and v of a token at the next place of the cache. */
static inline void append(const struct decoder *d, struct sequence *s, int64_t token)
{
    const int16_t *e = (const int16_t *)d->call->tensor[E] + token * d->dim;
    const int16_t *p = (const int16_t *)d->call->tensor[P] + s->in_cache * d->dim;

    for (int64_t i = 0; i < d->dim; i++)
        d->x[i] = limited(e[i] + p[i]);
    project(d, WK, d->x, s->k + s->in_cache * d->dim);
    project(d, WV, d->x, s->v + s->in_cache * d->dim);
    s->in_cache++;
}

/* o of the newest place: q from its x, over all places. */
static inline void attend(const struct decoder *d, const struct sequence *s)
{
    int32_t *restrict sum = d->sum, all = 1;

    project(d, WQ, d->x, d->q);
    memset(sum, 0, (size_t)d->dim * sizeof *sum);
    for (int64_t j = 0; j < s->in_cache; j++) {
        const int32_t score = dot(s->k + j * d->dim, d->q, d->dim);

        d->score[j] = (int16_t)(score > 0 ? score >> SCORE : 0);
        all += d->score[j];
    }
    for (int64_t j = 0; j < s->in_cache; j++) {
        const int16_t *restrict v = s->v + j * d->dim, score = d->score[j];

        for (int64_t i = 0; i < d->dim; i++)
            sum[i] += score * v[i];
    }
    for (int64_t i = 0; i < d->dim; i++)
        d->o[i] = (int16_t)(sum[i] / all);
}

/* The token behind the newest place leaves. False: it was the last. */
static inline int emit(struct decoder *d, struct sequence *s)
{
    const int16_t *u = d->call->tensor[U];
    int32_t most;

    attend(d, s);
    s->last = 0;
    most = dot(u, d->o, d->dim);
    for (int64_t c = 1; c < d->call->param[VOCAB]; c++) {
        const int32_t sum = dot(u + c * d->dim, d->o, d->dim);

        if (sum > most) {
            most = sum;
            s->last = (int32_t)c;
        }
    }
    aisp_emit(d->call->tensor[EMISSIONS], s->request, s->n_emitted++, s->last);
    return s->n_emitted < s->n_answer;
}

/* At most n more tokens of the prompt. True: that was all of it, and the first token of the answer has left. */
static inline int prefill(struct decoder *d, struct sequence *s, int64_t n)
{
    for (; n > 0 && s->in_cache < s->n_prompt; n--)
        append(d, s, prompt_token(d->call->param, s->row, s->in_cache));
    if (s->in_cache < s->n_prompt)
        return 0;
    if (emit(d, s))
        d->answering[d->n_answering++] = s;
    else
        d->n_ended++;
    return 1;
}

/* One token for each answer under way. */
static inline void step(struct decoder *d)
{
    int64_t stay = 0;

    for (int64_t i = 0; i < d->n_answering; i++) {
        struct sequence *s = d->answering[i];

        append(d, s, s->last);
        if (emit(d, s))
            d->answering[stay++] = s;
        else
            d->n_ended++;
    }
    d->n_answering = stay;
}

#endif
