/* ranks.h - prefill into a room that both ranks see, and decode out of a cache of rank 1's own.
 * The room has, of each layer, its keys (tokens, dim) and its values (tokens, dim), and then the last token's state. The
 * cache has, of each layer, keys by heads and turned (heads, HEAD, tokens), and values by heads (heads, tokens, HEAD). */
#ifndef KV_TRANSFER_RANKS_H
#define KV_TRANSFER_RANKS_H

#include "kit/meet.h"
#include "prefill.h"

enum { FILLED }; /* pieces that rank 0 has handed over since the process began */

/* Pieces that this rank knows of: flags go on from call to call. */
static uint32_t n_pieces;

static inline int64_t layer_floats(const int64_t *param)
{
    return 2 * param[TOKENS] * param[DIM];
}

/* Rank 0: two times the states. Rank 1: the cache, and a query. */
static inline size_t ranks_workspace(const int64_t *param)
{
    return (size_t)(layer_floats(param) * param[LAYERS] + 2 * param[DIM]) * sizeof(float);
}

/* Tokens [first, first + n) through a layer, from x to `next`. */
static inline void prefill_piece(const struct aisp_call *c, int64_t l, const float *x, float *next, int64_t first, int64_t n)
{
    const int64_t dim = c->param[DIM], matrix = dim * dim, at = first * dim;
    const float *w = (const float *)c->tensor[W] + l * PREFILL_MATRICES * matrix;
    float *k = (float *)meet_room(c, 0) + l * layer_floats(c->param), *v = k + c->param[TOKENS] * dim;
    const int fast = has_avx2();

    rows_by_matrix(x + at, w + WK * matrix, k + at, n, dim, fast);
    rows_by_matrix(x + at, w + WV * matrix, v + at, n, dim, fast);
    rows_by_matrix(x + at, w + WX * matrix, next + at, n, dim, fast);
    squash(next + at, n * dim, fast);
}

/* Tokens [first, first + n) of a layer from the room into the cache. */
static inline void import_piece(const struct aisp_call *c, int64_t l, int64_t first, int64_t n)
{
    const int64_t dim = c->param[DIM], tokens = c->param[TOKENS];
    const float *k = (const float *)meet_room(c, 0) + l * layer_floats(c->param), *v = k + tokens * dim;
    float *k_to = (float *)c->workspace + l * layer_floats(c->param), *v_to = k_to + tokens * dim;

    for (int64_t d = 0; d < dim; d++)
        for (int64_t t = first; t < first + n; t++)
            k_to[d * tokens + t] = k[t * dim + d];
    for (int64_t t = first; t < first + n; t++)
        for (int64_t h = 0; h < dim / HEAD; h++)
            memcpy(v_to + (h * tokens + t) * HEAD, v + t * dim + h * HEAD, HEAD * sizeof(float));
}

/* Scores of n tokens, whose keys are columns of k. */
AVX2 void scores_turned(const struct part *w, const float *k, int64_t tokens, int64_t n, float *s)
{
    int64_t t = 0;

    for (; t + LANES <= n; t += LANES) {
        __m256 even = _mm256_setzero_ps(), odd = even;

        for (int64_t d = 0; d < HEAD; d += 2) {
            even = _mm256_fmadd_ps(_mm256_broadcast_ss(w->q + d), _mm256_loadu_ps(k + d * tokens + t), even);
            odd = _mm256_fmadd_ps(_mm256_broadcast_ss(w->q + d + 1), _mm256_loadu_ps(k + (d + 1) * tokens + t), odd);
        }
        _mm256_storeu_ps(s + t, _mm256_mul_ps(_mm256_add_ps(even, odd), _mm256_set1_ps(w->scale)));
    }
    for (; t < n; t++) {
        s[t] = 0;
        for (int64_t d = 0; d < HEAD; d++)
            s[t] += w->q[d] * k[d * tokens + t];
        s[t] *= w->scale;
    }
}

__attribute__((target("avx2,fma"))) static inline void head_avx2(struct part *w, const float *k, const float *v, int64_t tokens)
{
    float s[MOST_KEYS + LANES];

    for (int64_t t = 0; t < tokens; t += MOST_KEYS) {
        const int64_t n = tokens - t < MOST_KEYS ? tokens - t : MOST_KEYS;

        scores_turned(w, k + t, tokens, n, s);
        exponentials_avx2(w, s, n);
        values_avx2(w, s, v + t * HEAD, n);
    }
}

static inline void head_portable(struct part *w, const float *k, const float *v, int64_t tokens)
{
    float key[HEAD];

    for (int64_t t = 0; t < tokens; t++) {
        for (int64_t d = 0; d < HEAD; d++)
            key[d] = k[d * tokens + t];
        part_take_portable(w, key, v + t * HEAD, 1);
    }
}

/* h = h / 2 + attention of a query, over a layer's keys and values by heads. */
static inline void attend(const struct aisp_call *c, const float *kv, const float *q, float *h)
{
    const int64_t dim = c->param[DIM], tokens = c->param[TOKENS];
    const int fast = has_avx2();

    for (int64_t first = 0; first < dim; first += HEAD) {
        const float *k = kv + first * tokens, *v = k + tokens * dim;
        float o[HEAD];
        struct part w = { .q = q + first, .o = o, .dim = HEAD, .apart = HEAD, .scale = 0.25f };

        part_begin(&w);
        if (fast)
            head_avx2(&w, k, v, tokens);
        else
            head_portable(&w, k, v, tokens);
        part_end(&w);
        for (int64_t d = 0; d < HEAD; d++)
            h[first + d] = h[first + d] / 2 + o[d];
    }
}

/* All queries through all layers, keys and values from `kv`. */
static inline void decode(const struct aisp_call *c, const float *kv, float *q)
{
    const int64_t dim = c->param[DIM], layers = c->param[LAYERS];
    const float *last = (const float *)meet_room(c, 0) + layers * layer_floats(c->param);

    for (int64_t r = 0; r < c->param[QUERIES]; r++) {
        const float *x = (const float *)c->tensor[X] + r * dim;
        float *h = (float *)c->tensor[Y] + r * dim;

        for (int64_t d = 0; d < dim; d++)
            h[d] = x[d] + last[d];
        for (int64_t l = 0; l < layers; l++) {
            rows_by_matrix(h, (const float *)c->tensor[W] + l * dim * dim, q, 1, dim, 0);
            attend(c, kv + l * layer_floats(c->param), q, h);
        }
    }
}

/* The last token's state, where rank 1 finds it and as rank 0's result. */
static inline void show_last(const struct aisp_call *c, const float *x)
{
    const int64_t dim = c->param[DIM];
    float *last = (float *)meet_room(c, 0) + c->param[LAYERS] * layer_floats(c->param);

    memcpy(last, x + (c->param[TOKENS] - 1) * dim, (size_t)dim * sizeof(float));
    memcpy(c->tensor[Y], last, (size_t)dim * sizeof(float));
}

/* Rank 1 writes nothing to the rendezvous, so all of it is rank 0's room. */
static inline int fits(const struct aisp_call *c)
{
    const size_t floats = (size_t)(c->param[LAYERS] * layer_floats(c->param) + c->param[DIM]);

    return MEET_HEAD_BYTES + floats * sizeof(float) <= c->rendezvous_bytes;
}

static inline int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Rank 0: layer by layer in pieces of so many tokens; a flag goes up behind each. */
static inline void prefill_in_pieces(const struct aisp_call *c, int64_t piece)
{
    const int64_t tokens = c->param[TOKENS], layers = c->param[LAYERS], states = tokens * c->param[DIM];
    const float *x = c->tensor[X];
    float *buffer = c->workspace, *next = buffer;

    for (int64_t l = 0; l < layers; l++) {
        for (int64_t first = 0; first < tokens; first += piece) {
            const int64_t n = smaller(piece, tokens - first);

            prefill_piece(c, l, x, next, first, n);
            if (l == layers - 1 && first + n == tokens)
                show_last(c, next);
            meet_raise(c, FILLED);
        }
        x = next;
        next = x == buffer ? buffer + states : buffer;
    }
}

/* Rank 1: every piece as it comes, then decode. */
static inline void decode_behind_pieces(const struct aisp_call *c, int64_t piece)
{
    const int64_t tokens = c->param[TOKENS], layers = c->param[LAYERS];
    float *cache = c->workspace;

    for (int64_t l = 0; l < layers; l++)
        for (int64_t first = 0; first < tokens; first += piece) {
            meet_await(c, FILLED, ++n_pieces);
            import_piece(c, l, first, smaller(piece, tokens - first));
        }
    decode(c, cache, cache + layers * layer_floats(c->param));
}

static inline enum aisp_status hand_over_in_pieces(const struct aisp_call *c, int64_t piece)
{
    if (!fits(c))
        return AISP_E_NO_MEMORY;
    if (c->rank == 0)
        prefill_in_pieces(c, piece);
    else
        decode_behind_pieces(c, piece);
    meet_barrier(c); /* the room may be filled again */
    return AISP_OK;
}

#endif
