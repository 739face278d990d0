/* batch.h - requests that are decoded together: who comes in, a step of all, who leaves. And a step's products in plain C.
 * Not here: when a request comes in and when it leaves: that is what the rungs differ in. */
#ifndef CONTINUOUS_BATCHING_BATCH_H
#define CONTINUOUS_BATCHING_BATCH_H

#include <string.h>

#include <aisp/variant.h>

#include "kit/pairs16.h"
#include "problem.h"

struct place { int64_t request, done, length; int32_t last; };

/* n places are taken, the first ones. A row of s has apart numbers, of which those behind dim are zeros; a row of u has
 * rows. */
struct batch {
    const struct aisp_call *call;
    int16_t *s;
    int32_t *u;
    struct place *place;
    int64_t n, apart, rows;
};

/* u = M s of all that are in the batch, M being W (rows, dim) or U. */
typedef void product_fn(const struct batch *b, int matrix);

static inline int64_t rows_of(const int64_t *param)
{
    return pairs_whole(param[DIM] > param[VOCAB] ? param[DIM] : param[VOCAB]);
}

static inline size_t batch_bytes(const int64_t *param)
{
    return (size_t)param[PLACES] * (sizeof(struct place) + (size_t)rows_of(param) * sizeof(int32_t)
                                    + (size_t)pairs_whole(param[DIM]) * sizeof(int16_t));
}

static inline void batch_open(struct batch *b, const struct aisp_call *call)
{
    const int64_t places = call->param[PLACES];

    b->call = call;
    b->n = 0;
    b->apart = pairs_whole(call->param[DIM]);
    b->rows = rows_of(call->param);
    b->place = call->workspace;
    b->u = (int32_t *)(b->place + places);
    b->s = (int16_t *)(b->u + places * b->rows);
    memset(b->s, 0, (size_t)(places * b->apart) * sizeof *b->s);
}

static inline int32_t *answer_of(const struct batch *b, int64_t request)
{
    return (int32_t *)b->call->tensor[TOKEN] + request * b->call->param[MOST];
}

static inline void come_in(struct batch *b, int64_t request)
{
    const int64_t dim = b->call->param[DIM], most = b->call->param[MOST];

    b->place[b->n] = (struct place){ request, 0, length_of(b->call->tensor[TRACE], most, request), 0 };
    memcpy(b->s + b->n * b->apart, (const int16_t *)b->call->tensor[STATE] + request * dim, (size_t)dim * sizeof *b->s);
    for (int64_t t = 0; t < most; t++)
        answer_of(b, request)[t] = NOTHING;
    b->n++;
}

static inline int has_ended(const struct place *p)
{
    return p->done >= p->length;
}

/* Those that have ended leave; into the place of each goes the last of the batch. */
static inline void leave(struct batch *b)
{
    for (int64_t p = b->n - 1; p >= 0; p--) {
        if (!has_ended(b->place + p) || --b->n == p)
            continue;
        b->place[p] = b->place[b->n];
        memcpy(b->s + p * b->apart, b->s + b->n * b->apart, (size_t)b->apart * sizeof *b->s);
    }
}

/* s of place p, from u = W s. */
static inline void move_on(const struct batch *b, int64_t p)
{
    const int64_t dim = b->call->param[DIM];
    const int16_t *e = (const int16_t *)b->call->tensor[E] + b->place[p].last * dim;
    const int32_t *restrict u = b->u + p * b->rows;
    int16_t *restrict s = b->s + p * b->apart;

    for (int64_t i = 0; i < dim; i++) {
        const int32_t sum = (u[i] >> SHIFT) + e[i];

        s[i] = (int16_t)(sum > LIMIT ? LIMIT : sum < -LIMIT ? -LIMIT : sum);
    }
}

/* The next token of place p, from u = U s. */
static inline void choose(const struct batch *b, int64_t p)
{
    const int32_t *u = b->u + p * b->rows;
    struct place *place = b->place + p;
    int64_t best = 0;

    for (int64_t v = 1; v < b->call->param[VOCAB]; v++)
        best = u[v] > u[best] ? v : best;
    place->last = (int32_t)best;
    if (!has_ended(place))
        answer_of(b, place->request)[place->done] = place->last;
    place->done++;
}

/* One token for each place that is taken. */
static inline void step(const struct batch *b, product_fn *product)
{
    product(b, W);
    for (int64_t p = 0; p < b->n; p++)
        move_on(b, p);
    product(b, U);
    for (int64_t p = 0; p < b->n; p++)
        choose(b, p);
}

/* Apart, for the compiler spills what the loop needs where it is taken into a larger function. */
__attribute__((noinline)) static int32_t dot(const int16_t *w, const int16_t *s, int64_t dim)
{
    int32_t sum = 0;

    for (int64_t i = 0; i < dim; i++)
        sum += w[i] * s[i];
    return sum;
}

/* A row of the matrix serves all places before the next is taken. */
static inline void product_plain(const struct batch *b, int matrix)
{
    const int64_t dim = b->call->param[DIM], rows = matrix == W ? dim : b->call->param[VOCAB];
    const int16_t *w = b->call->tensor[matrix];

    for (int64_t r = 0; r < rows; r++)
        for (int64_t p = 0; p < b->n; p++)
            b->u[p * b->rows + r] = dot(w + r * dim, b->s + p * b->apart, dim);
}

/* Batch after batch; who has ended leaves, nobody comes in before all have left. */
static inline void serve_leaving(const struct aisp_call *call, product_fn *product)
{
    const int64_t requests = call->param[REQUESTS];
    struct batch b;

    batch_open(&b, call);
    for (int64_t next = 0; next < requests;) {
        while (b.n < call->param[PLACES] && next < requests)
            come_in(&b, next++);
        for (; b.n > 0; leave(&b))
            step(&b, product);
    }
}

#endif
