/* batch.h - requests that are decoded together: who comes in, a step of all, who leaves. The products are those of
 * kit/pairs16.h for up to four places at a time where there is AVX2, and the compiler's where there is not.
 * Not here: when a request may come in: that is what the rungs differ in. */
#ifndef SERVE_IN_FLIGHT_BATCH_H
#define SERVE_IN_FLIGHT_BATCH_H

#include <stdlib.h>
#include <string.h>

#include <aisp/variant.h>

#include "kit/pairs16.h"
#include "kit/serve.h"
#include "problem.h"

struct place { int64_t length; int32_t request, n_emitted, last; };

/* n places are taken, the first ones. A row of s has apart numbers, of which those behind dim are zeros; a row of u has
 * rows. */
struct batch {
    const struct aisp_call *call;
    struct door door;
    struct place *place;
    int32_t *u;
    int16_t *s;
    int64_t n, places, apart, rows;
};

static inline int64_t rows_of(const int64_t *param)
{
    return pairs_whole(param[DIM] > param[VOCAB] ? param[DIM] : param[VOCAB]);
}

static inline size_t batch_bytes(const int64_t *param)
{
    return (size_t)param[PLACES] * (sizeof(struct place) + (size_t)rows_of(param) * sizeof(int32_t)
                                    + (size_t)pairs_whole(param[DIM]) * sizeof(int16_t));
}

/* state: the copies of W and of U, or NULL where there is no AVX2. */
static enum aisp_status batch_setup(const struct aisp_setup *setup)
{
    const int64_t dim = setup->param[DIM], vocab = setup->param[VOCAB];
    const size_t bytes = (size_t)(pairs_copied(dim, dim) + pairs_copied(vocab, dim)) * sizeof(int16_t);
    int16_t *to;

    if (!__builtin_cpu_supports("avx2"))
        return AISP_OK;
    to = aligned_alloc(64, bytes); /* whole blocks of pairs: a multiple of 64 */
    if (!to)
        return AISP_E_NO_MEMORY;
    memset(to, 0, bytes);
    pairs_copy(to, setup->weight[W], dim, dim); /* W is the first of the weights */
    pairs_copy(to + pairs_copied(dim, dim), setup->weight[U], vocab, dim);
    *setup->state = to;
    return AISP_OK;
}

static void batch_teardown(void *state)
{
    free(state);
}

static inline void batch_open(struct batch *b, const struct aisp_call *call)
{
    memset(b, 0, sizeof *b);
    b->call = call;
    b->door = door_of(call->tensor[ARRIVALS], WORDS, call->param[REQUESTS]);
    b->places = call->param[PLACES];
    b->apart = pairs_whole(call->param[DIM]);
    b->rows = rows_of(call->param);
    b->place = call->workspace;
    b->u = (int32_t *)(b->place + b->places);
    b->s = (int16_t *)(b->u + b->places * b->rows);
}

/* Requests that are there take the places that are free. */
static inline void come_in(struct batch *b)
{
    while (b->n < b->places) {
        const int32_t request = door_take(&b->door);
        const int32_t *row;

        if (request < 0)
            break;
        row = door_row(&b->door, request);
        memset(b->s + b->n * b->apart, 0, (size_t)b->apart * sizeof *b->s);
        b->place[b->n++] = (struct place){
            .length = answer_length(b->call->param, row),
            .request = request,
            .last = (int32_t)first_token(b->call->param, row),
        };
    }
}

/* Those that have ended leave; into the place of each goes the last of the batch. */
static inline void leave(struct batch *b)
{
    for (int64_t p = b->n - 1; p >= 0; p--) {
        if (b->place[p].n_emitted < b->place[p].length || --b->n == p)
            continue;
        b->place[p] = b->place[b->n];
        memcpy(b->s + p * b->apart, b->s + b->n * b->apart, (size_t)b->apart * sizeof *b->s);
    }
}

/* Apart, for the compiler spills what the loop needs where it is taken into a larger function. */
__attribute__((noinline)) static int32_t dot(const int16_t *w, const int16_t *s, int64_t dim)
{
    int32_t sum = 0;

    for (int64_t i = 0; i < dim; i++)
        sum += w[i] * s[i];
    return sum;
}

static inline void product_plain(const struct batch *b, int matrix, int64_t rows)
{
    const int64_t dim = b->call->param[DIM];
    const int16_t *w = b->call->tensor[matrix];

    for (int64_t r = 0; r < rows; r++)
        for (int64_t p = 0; p < b->n; p++)
            b->u[p * b->rows + r] = dot(w + r * dim, b->s + p * b->apart, dim);
}

/* u = M s of all that are in the batch, M being W or U. */
static inline void product(const struct batch *b, int matrix)
{
    const int64_t dim = b->call->param[DIM], rows = matrix == W ? dim : b->call->param[VOCAB];
    const int16_t *copy = b->call->state;

    if (!copy)
        product_plain(b, matrix, rows);
    else
        pairs_product(copy + (matrix == W ? 0 : pairs_copied(dim, dim)), rows, b->s, b->n, b->apart, dim, b->u, b->rows);
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

/* The next token of place p leaves, from u = U s. */
static inline void emit(const struct batch *b, int64_t p)
{
    const int32_t *u = b->u + p * b->rows;
    struct place *place = b->place + p;
    int64_t best = 0;

    for (int64_t v = 1; v < b->call->param[VOCAB]; v++)
        best = u[v] > u[best] ? v : best;
    place->last = (int32_t)best;
    aisp_emit(b->call->tensor[EMISSIONS], place->request, place->n_emitted++, place->last);
}

/* One token for each place that is taken; then those that have ended leave. */
static inline void step(struct batch *b)
{
    product(b, W);
    for (int64_t p = 0; p < b->n; p++)
        move_on(b, p);
    product(b, U);
    for (int64_t p = 0; p < b->n; p++)
        emit(b, p);
    leave(b);
}

#endif
