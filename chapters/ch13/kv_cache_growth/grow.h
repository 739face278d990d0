/* grow.h - a cache in one piece for each request that is moved to a larger one when it is full. The baseline and the
 * doubling share it: they differ in how much larger. */
#ifndef KV_CACHE_GROWTH_GROW_H
#define KV_CACHE_GROWTH_GROW_H

#include <stdlib.h>

#include "steps.h"

struct cache {
    float *k, *v;
    int64_t room; /* tokens */
};

static inline float *moved(float *old, int64_t used, int64_t room)
{
    float *larger = malloc((size_t)room * sizeof *larger);

    if (larger && used > 0)
        memcpy(larger, old, (size_t)used * sizeof *larger);
    free(old);
    return larger;
}

/* Room for `room` tokens, of which t are there; false where there is no memory, and then there is no cache. */
static inline int cache_grow(struct cache *c, const struct step *s, int64_t room)
{
    c->k = moved(c->k, s->t * s->dim, room * s->dim);
    c->v = moved(c->v, s->t * s->dim, room * s->dim);
    c->room = room;
    return c->k && c->v;
}

static inline void cache_append(struct cache *c, const struct step *s)
{
    memcpy(c->k + s->t * s->dim, s->k, (size_t)s->dim * sizeof *s->k);
    memcpy(c->v + s->t * s->dim, s->v, (size_t)s->dim * sizeof *s->v);
}

/* All steps of all requests; larger(room, needed) says how large a cache becomes that has room for `room` and needs more. */
static inline enum aisp_status run_growing(const struct aisp_call *call, int64_t (*larger)(int64_t room, int64_t needed))
{
    const int64_t requests = call->param[REQUESTS];
    struct cache *cache = calloc((size_t)requests, sizeof *cache);
    enum aisp_status st = cache ? AISP_OK : AISP_E_NO_MEMORY;

    for (int64_t i = 0; !st && i < call->param[MOST] * requests; i++) {
        const struct step s = step_of(call, i / requests, i % requests);
        struct cache *c = &cache[i % requests];

        if (step_is_over(call, s.t, i % requests)) {
            step_nothing(&s);
            continue;
        }
        if (s.t + 1 > c->room && !cache_grow(c, &s, larger(c->room, s.t + 1))) {
            st = AISP_E_NO_MEMORY;
            break;
        }
        cache_append(c, &s);
        step_attend(&s, c->k, c->v, s.t + 1);
    }
    for (int64_t r = 0; cache && r < requests; r++) {
        free(cache[r].k);
        free(cache[r].v);
    }
    free(cache);
    return st;
}

#endif
