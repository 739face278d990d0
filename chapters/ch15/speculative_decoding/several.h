/* several.h - some tokens of a sequence through layers of the model, each weight read once for all of them: AVX2, or plain C
 * token by token.
 * For AVX2 the matrices are copied in setup (kit/pairs16.h). */
#ifndef SPECULATIVE_DECODING_SEVERAL_H
#define SPECULATIVE_DECODING_SEVERAL_H

#include <stdlib.h>

#include "kit/pairs16.h"
#include "model.h"

enum { AT_ONCE = PAIRS_AT_ONCE };

/* Tokens at once: x and u of each, and s of each layer behind each: s[token][layer][dim]. A row of x has apart numbers, a row
 * of u has rows. */
struct several {
    const struct aisp_call *call;
    int16_t *x;
    int32_t *u, *s;
    int64_t apart, rows;
};

static inline int64_t rows_of(const int64_t *param)
{
    return pairs_whole(param[DIM] > param[VOCAB] ? param[DIM] : param[VOCAB]);
}

static inline size_t several_bytes(const int64_t *param)
{
    return AT_ONCE * ((size_t)(param[LAYERS] * param[DIM] + rows_of(param)) * sizeof(int32_t)
                      + (size_t)pairs_whole(param[DIM]) * sizeof(int16_t));
}

/* Returns where the workspace goes on. */
static inline void *several_open(struct several *m, const struct aisp_call *call, void *workspace)
{
    m->call = call;
    m->apart = pairs_whole(call->param[DIM]);
    m->rows = rows_of(call->param);
    m->u = workspace;
    m->s = m->u + AT_ONCE * m->rows;
    m->x = (int16_t *)(m->s + AT_ONCE * call->param[LAYERS] * call->param[DIM]);
    memset(m->x, 0, (size_t)(AT_ONCE * m->apart) * sizeof *m->x);
    return m->x + AT_ONCE * m->apart;
}

/* state: the copies of W of all layers and of U, or NULL where there is no AVX2. */
static enum aisp_status several_setup(const struct aisp_setup *setup)
{
    const int64_t layers = setup->param[LAYERS], dim = setup->param[DIM], vocab = setup->param[VOCAB];
    const size_t bytes = (size_t)(layers * pairs_copied(dim, dim) + pairs_copied(vocab, dim)) * sizeof(int16_t);
    int16_t *to;

    if (!__builtin_cpu_supports("avx2"))
        return AISP_OK;
    to = aligned_alloc(64, bytes); /* whole blocks of pairs: a multiple of 64 */
    if (!to)
        return AISP_E_NO_MEMORY;
    memset(to, 0, bytes);
    for (int64_t l = 0; l < layers; l++)
        pairs_copy(to + l * pairs_copied(dim, dim), (const int16_t *)setup->weight[W] + l * dim * dim, dim, dim);
    pairs_copy(to + layers * pairs_copied(dim, dim), setup->weight[U], vocab, dim);
    *setup->state = to;
    return AISP_OK;
}

static void several_teardown(void *state)
{
    free(state);
}

PAIRS_AVX2 void blocks(const int16_t *w, int64_t rows, const struct several *m, const int n)
{
    const int64_t dim = m->call->param[DIM];

    for (int64_t r = 0; r < rows; r += PAIRS_BLOCK)
        pairs_block(w + pairs_copied(r, dim), m->x, m->apart, dim, m->u + r, m->rows, n);
}

/* u = W x of n tokens. */
__attribute__((target("avx2"))) static void product_avx2(const int16_t *w, int64_t rows, const struct several *m, int64_t n)
{
    switch (n) {
    case 1: blocks(w, rows, m, 1); break;
    case 2: blocks(w, rows, m, 2); break;
    case 3: blocks(w, rows, m, 3); break;
    default: blocks(w, rows, m, 4); break;
    }
}

__attribute__((target("avx2"))) static void remember_avx2(const int32_t *before, int32_t *s, int16_t *x, const int32_t *u,
                                                          int64_t dim)
{
    remember(before, s, x, u, dim);
}

/* u = W x of n tokens, W being that of a layer or, behind the last, U. */
static inline void product(const struct several *m, int64_t layer, int64_t n)
{
    const int64_t dim = m->call->param[DIM], layers = m->call->param[LAYERS];
    const int64_t rows = layer < layers ? dim : m->call->param[VOCAB];
    const int16_t *w = layer < layers ? (const int16_t *)m->call->tensor[W] + layer * dim * dim : m->call->tensor[U];

    if (m->call->state)
        product_avx2((const int16_t *)m->call->state + layer * pairs_copied(dim, dim), rows, m, n);
    else
        for (int64_t t = 0; t < n; t++)
            product_plain(w, rows, dim, m->x + t * m->apart, m->u + t * m->rows);
}

/* n <= AT_ONCE tokens from layer `from` to layer `to`; before (layers x dim) is s before the first of them. */
static inline void through_layers(const struct several *m, const int32_t *before, int64_t from, int64_t to, int64_t n)
{
    const int64_t dim = m->call->param[DIM], cells = m->call->param[LAYERS] * dim;

    for (int64_t l = from; l < to; l++) {
        product(m, l, n);
        for (int64_t t = 0; t < n; t++) {
            int32_t *s = m->s + t * cells + l * dim;
            const int32_t *last = t ? s - cells : before + l * dim, *u = m->u + t * m->rows;

            if (m->call->state)
                remember_avx2(last, s, m->x + t * m->apart, u, dim);
            else
                remember(last, s, m->x + t * m->apart, u, dim);
        }
    }
}

static inline void choose(const struct several *m, int32_t *token, int64_t n)
{
    product(m, m->call->param[LAYERS], n);
    for (int64_t t = 0; t < n; t++)
        token[t] = greatest(m->u + t * m->rows, m->call->param[VOCAB]);
}

#endif
