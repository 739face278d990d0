/* steps.h - what all variants do alike: the walk over steps and requests, and one attention over what a request has.
 * Not here: where keys and values are kept. */
#ifndef KV_CACHE_GROWTH_STEPS_H
#define KV_CACHE_GROWTH_STEPS_H

#include <string.h>

#include <aisp/variant.h>

#include "kit/decode.h"
#include "problem.h"

/* One request in one step: what has come, and where its answer goes. */
struct step {
    int64_t t, dim;
    const float *q, *k, *v;
    float *o;
};

static inline struct step step_of(const struct aisp_call *call, int64_t t, int64_t r)
{
    const int64_t dim = call->param[DIM], at = (t * call->param[REQUESTS] + r) * dim;

    return (struct step){ .t = t,
                          .dim = dim,
                          .q = (const float *)call->tensor[Q] + at,
                          .k = (const float *)call->tensor[K] + at,
                          .v = (const float *)call->tensor[V] + at,
                          .o = (float *)call->tensor[O] + at };
}

static inline int step_is_over(const struct aisp_call *call, int64_t t, int64_t r)
{
    return t >= ((const int32_t *)call->tensor[TOKENS])[r];
}

static inline void step_nothing(const struct step *s)
{
    memset(s->o, 0, (size_t)s->dim * sizeof *s->o);
}

static inline struct part step_begin(const struct step *s)
{
    struct part w = { .q = s->q, .o = s->o, .dim = s->dim, .apart = s->dim, .scale = 1 / sqrtf((float)s->dim) };

    part_begin(&w);
    return w;
}

/* Attention over n keys and values, each `dim` apart. */
static inline void step_attend(const struct step *s, const float *k, const float *v, int64_t n)
{
    const int fast = has_avx2();
    struct part w = step_begin(s);

    for (int64_t j = 0; j < n; j += MOST_KEYS)
        part_take(&w, k + j * s->dim, v + j * s->dim, n - j < MOST_KEYS ? n - j : MOST_KEYS, fast);
    part_end(&w);
}

#endif
