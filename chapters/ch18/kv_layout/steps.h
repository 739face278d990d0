/* steps.h - the steps and heads of a call, in their order; a rung says what one head reads. */
#ifndef KV_LAYOUT_STEPS_H
#define KV_LAYOUT_STEPS_H

#include <aisp/variant.h>

#include "kit/decode.h"
#include "problem.h"

struct step {
    const int64_t *param;
    const float *k, *v;
    int fast;
};

static inline size_t query_bytes(const int64_t *param)
{
    return (size_t)(param[DIM] + 15) / 16 * 16 * sizeof(float); /* what follows it stays aligned to lines */
}

/* The query of a head lies at the beginning of the workspace. */
static inline void all_steps(const struct aisp_call *call, const float *k, const float *v,
                             void (*one_head)(const struct step *s, int64_t h, struct part *w))
{
    const struct step step = { call->param, k, v, has_avx2() };
    const int64_t heads = call->param[HEADS], dim = call->param[DIM], row = heads * dim;
    const float *q = call->tensor[Q];
    float *o = call->tensor[O], *query = call->workspace;

    for (int64_t s = 0; s < call->param[STEPS]; s++, q += row, o += row)
        for (int64_t h = 0; h < heads; h++) {
            struct part w = { query, o + h * dim, dim, dim, 1 / sqrtf((float)dim), 0, 0 };

            for (int64_t d = 0; d < dim; d++)
                query[d] = q[h * dim + d] + (s ? o[(h + 1) % heads * dim + d - row] : 0);
            part_begin(&w);
            one_head(&step, h, &w);
            part_end(&w);
        }
}

#endif
