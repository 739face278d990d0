/* workers.h - four workers, each with a cache of keys and values of some documents, and one attention for each question.
 * The rungs differ in which worker a request goes to; what a worker does is the same. */
#ifndef ROUTING_POLICY_WORKERS_H
#define ROUTING_POLICY_WORKERS_H

#include <math.h>
#include <string.h>

#include <aisp/variant.h>

#include "problem.h"

struct worker {
    int64_t load;                              /* requests so far */
    int64_t used[PLACES];                      /* when, counted in requests; 0: never */
    int32_t holds[PLACES];                     /* a document, or -1 */
    float *kv[PLACES];                         /* keys (tokens, dim), then values */
};

struct fleet {
    const struct aisp_call *call;
    struct worker worker[WORKERS];
    float *score, *x; /* tokens, and one token behind a question */
    int64_t now;
};

static inline int64_t kv_floats(const int64_t *param)
{
    return 2 * param[TOKENS] * param[DIM];
}

static inline size_t fleet_bytes(const int64_t *param)
{
    return (size_t)(WORKERS * PLACES * kv_floats(param) + param[TOKENS] + param[DIM]) * sizeof(float);
}

static inline void fleet_open(struct fleet *f, const struct aisp_call *call)
{
    memset(f, 0, sizeof *f);
    f->call = call;
    for (int w = 0; w < WORKERS; w++)
        for (int p = 0; p < PLACES; p++) {
            f->worker[w].holds[p] = -1;
            f->worker[w].kv[p] = (float *)call->workspace + (w * PLACES + p) * kv_floats(call->param);
        }
    f->score = (float *)call->workspace + WORKERS * PLACES * kv_floats(call->param);
    f->x = f->score + call->param[TOKENS];
}

/* The place of a document in a worker's cache, or -1. */
static inline int place_of(const struct worker *w, int32_t document)
{
    for (int p = 0; p < PLACES; p++)
        if (w->holds[p] == document)
            return p;
    return -1;
}

/* The place that was used longest ago. */
static inline int oldest_place(const struct worker *w)
{
    int oldest = 0;

    for (int p = 1; p < PLACES; p++)
        if (w->used[p] < w->used[oldest])
            oldest = p;
    return oldest;
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

/* Keys and values of a document behind question q. */
static inline void prefill(const struct fleet *f, int32_t document, const float *q, float *kv)
{
    const struct aisp_call *c = f->call;
    const int64_t tokens = c->param[TOKENS], dim = c->param[DIM];
    const float *x = (const float *)c->tensor[X] + document * tokens * dim;

    for (int64_t t = 0; t < tokens; t++) {
        for (int64_t d = 0; d < dim; d++) {
            const float z = x[t * dim + d] + q[d];

            f->x[d] = z / (1 + fabsf(z));
        }
        multiply(c->tensor[WK], f->x, kv + t * dim, dim);
        multiply(c->tensor[WV], f->x, kv + (tokens + t) * dim, dim);
    }
}

static inline void answer(const struct fleet *f, const float *q, const float *kv, float *o)
{
    const int64_t tokens = f->call->param[TOKENS], dim = f->call->param[DIM];
    const float *v = kv + tokens * dim, scale = 1 / sqrtf((float)dim);
    float max = -INFINITY, sum = 0;

    for (int64_t t = 0; t < tokens; t++) {
        float dot = 0;

        for (int64_t d = 0; d < dim; d++)
            dot += q[d] * kv[t * dim + d];
        f->score[t] = dot * scale;
        max = fmaxf(max, f->score[t]);
    }
    for (int64_t t = 0; t < tokens; t++)
        sum += f->score[t] = expf(f->score[t] - max);
    memset(o, 0, (size_t)dim * sizeof *o);
    for (int64_t t = 0; t < tokens; t++)
        for (int64_t d = 0; d < dim; d++)
            o[d] += f->score[t] / sum * v[t * dim + d];
}

/* The next request goes to worker `to`. */
static inline void serve(struct fleet *f, int to)
{
    const struct aisp_call *c = f->call;
    const int64_t r = f->now++, dim = c->param[DIM];
    const int32_t document = ((const int32_t *)c->tensor[DOCUMENT])[r];
    const float *q = (const float *)c->tensor[Q] + r * dim;
    struct worker *w = &f->worker[to];
    int place = place_of(w, document);

    if (place < 0) {
        place = oldest_place(w);
        w->holds[place] = document;
        prefill(f, document, q, w->kv[place]);
    }
    w->used[place] = f->now;
    w->load++;
    ((int32_t *)c->tensor[WORKER])[r] = to;
    answer(f, q, w->kv[place], (float *)c->tensor[Y] + r * dim);
}

static inline int32_t next_document(const struct fleet *f)
{
    return ((const int32_t *)f->call->tensor[DOCUMENT])[f->now];
}

/* May worker w get the next request? */
static inline int has_room(const struct fleet *f, int w)
{
    return f->worker[w].load + 1 <= load_limit(f->now + 1);
}

#endif
