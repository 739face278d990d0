/* model.h - what is no product with a matrix: how a token enters, how a layer remembers, how a token is chosen. */
#ifndef SPECULATIVE_DECODING_MODEL_H
#define SPECULATIVE_DECODING_MODEL_H

#include <string.h>

#include <aisp/variant.h>

#include "problem.h"

#define INLINE __attribute__((always_inline)) static inline

INLINE void embed(const struct aisp_call *call, int32_t before, int64_t t, int16_t *restrict x)
{
    const int64_t dim = call->param[DIM];
    const int16_t *e = (const int16_t *)call->tensor[E] + before * dim;
    const int16_t *position = (const int16_t *)call->tensor[POSITION] + t * dim;

    for (int64_t i = 0; i < dim; i++)
        x[i] = (int16_t)(e[i] + position[i]);
}

/* s and x behind a layer, from s before it (which may be s itself), x before it, and u = W x. */
INLINE void remember(const int32_t *before, int32_t *s, int16_t *restrict x, const int32_t *restrict u, int64_t dim)
{
    for (int64_t i = 0; i < dim; i++) {
        const int32_t now = before[i] - (before[i] >> 1) + (u[i] >> SHIFT);
        const int32_t add = now > BEND ? BEND : now < -BEND ? -BEND : now, sum = x[i] + add;

        s[i] = now;
        x[i] = (int16_t)(sum > LIMIT ? LIMIT : sum < -LIMIT ? -LIMIT : sum);
    }
}

static inline int32_t greatest(const int32_t *u, int64_t vocab)
{
    int64_t best = 0;

    for (int64_t v = 1; v < vocab; v++)
        best = u[v] > u[best] ? v : best;
    return (int32_t)best;
}

/* y = W x, row by row. */
static inline void product_plain(const int16_t *w, int64_t rows, int64_t dim, const int16_t *x, int32_t *y)
{
    for (int64_t r = 0; r < rows; r++) {
        int32_t sum = 0;

        for (int64_t i = 0; i < dim; i++)
            sum += w[r * dim + i] * x[i];
        y[r] = sum;
    }
}

#endif
