/* query.h - one query against tiles of turned keys in plain C. */
#ifndef ATTENTION_TILED_QUERY_H
#define ATTENTION_TILED_QUERY_H

#include <math.h>

#include "tiles.h"

struct query {
    const float *q;
    float *o;
    int64_t dim;
    float scale, max, sum;
};

static inline void scores_of(const struct query *w, const float *restrict tile, float *restrict s)
{
    for (int64_t j = 0; j < TILE; j++)
        s[j] = 0;
    for (int64_t d = 0; d < w->dim; d++) {
        const float x = w->q[d] * w->scale;

        for (int64_t j = 0; j < TILE; j++)
            s[j] += x * tile[d * TILE + j];
    }
}

static inline void take_tile(struct query *w, const float *tile, const float *restrict v, int64_t n)
{
    float *restrict o = w->o;
    float s[TILE], top = w->max;

    scores_of(w, tile, s);
    for (int64_t j = 0; j < n; j++)
        top = s[j] > top ? s[j] : top;
    if (top > w->max) {
        const float factor = expf(w->max - top);

        w->sum *= factor;
        for (int64_t d = 0; d < w->dim; d++)
            o[d] *= factor;
        w->max = top;
    }
    for (int64_t j = 0; j < n; j++) {
        s[j] = expf(s[j] - top);
        w->sum += s[j];
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t d = 0; d < w->dim; d++)
            o[d] += s[j] * v[j * w->dim + d];
}

static inline void attend(const float *q, const float *tiles, const float *v, float *o, int64_t seq, int64_t dim)
{
    struct query w = { q, o, dim, 1 / sqrtf((float)dim), -INFINITY, 0 };

    for (int64_t d = 0; d < dim; d++)
        o[d] = 0;
    for (int64_t j = 0; j < seq; j += TILE)
        take_tile(&w, tiles + j * dim, v + j * dim, seq - j < TILE ? seq - j : TILE);
    for (int64_t d = 0; d < dim; d++)
        o[d] /= w.sum;
}

#endif
