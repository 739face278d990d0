/* optimized_packed - values head by head as before; keys packed into tiles of dim rows x 64 tokens, so that lanes run across
 * tokens and 64 scores grow side by side in registers.
 * Expected: of the scores' part go the sums over lanes, ten instructions for four keys, and the query's vectors, one load in
 * five: steps 1.1 to 1.2x faster than head-major ones. Turning costs more than copying: what is left at 32 steps is 1.0 to
 * 1.15x over optimized_head_major, and at twelve steps it was a loss.
 * Costs: a token that is added writes dim places, each in a line of its own; a tile that is not full holds zeros. */
#include <string.h>

#include "steps.h"

enum { TILE = 64, VECTORS = TILE / LANES };

static int64_t tiles_of(const int64_t *param)
{
    return (param[TOKENS] + TILE - 1) / TILE;
}

static void move_values(const float *from, float *to, int64_t tokens, int64_t heads, int64_t dim)
{
    for (int64_t t = 0; t < tokens; t++)
        for (int64_t h = 0; h < heads; h++)
            memcpy(to + (h * tokens + t) * dim, from + (t * heads + h) * dim, (size_t)dim * sizeof(float));
}

/* Tiles lie head by head. */
static void turn_keys(const float *from, float *to, const int64_t *param)
{
    const int64_t heads = param[HEADS], dim = param[DIM];

    for (int64_t h = 0; h < heads; h++)
        for (int64_t first = 0; first < tiles_of(param) * TILE; first += TILE, to += TILE * dim)
            for (int64_t t = 0; t < TILE; t++) {
                const int is_there = first + t < param[TOKENS];
                const float *key = from + (is_there ? (first + t) * heads + h : 0) * dim;

                for (int64_t d = 0; d < dim; d++)
                    to[d * TILE + t] = is_there ? key[d] : 0;
            }
}

static void scores_of_tile(const struct part *w, const float *restrict tile, float *restrict s)
{
    for (int64_t t = 0; t < TILE; t++)
        s[t] = 0;
    for (int64_t d = 0; d < w->dim; d++)
        for (int64_t t = 0; t < TILE; t++)
            s[t] += w->q[d] * w->scale * tile[d * TILE + t];
}

static void take_portable(struct part *w, const float *tile, const float *restrict v, int64_t n)
{
    float *restrict o = w->o;
    float s[TILE], top = w->max;

    scores_of_tile(w, tile, s);
    for (int64_t t = 0; t < n; t++)
        top = s[t] > top ? s[t] : top;
    if (top > w->max)
        part_raise(w, top);
    for (int64_t t = 0; t < n; t++) {
        const float e = expf(s[t] - top);

        w->sum += e;
        for (int64_t d = 0; d < w->dim; d++)
            o[d] += e * v[t * w->dim + d];
    }
}

AVX2 void scores_of_tile_avx2(const struct part *w, const float *tile, float *s)
{
    __m256 a[VECTORS];

    for (int p = 0; p < VECTORS; p++)
        a[p] = _mm256_setzero_ps();
    for (int64_t d = 0; d < w->dim; d++) {
        const __m256 q = _mm256_broadcast_ss(w->q + d);

        for (int p = 0; p < VECTORS; p++)
            a[p] = _mm256_fmadd_ps(q, _mm256_loadu_ps(tile + d * TILE + p * LANES), a[p]);
    }
    for (int p = 0; p < VECTORS; p++)
        _mm256_storeu_ps(s + p * LANES, _mm256_mul_ps(a[p], _mm256_set1_ps(w->scale)));
}

/* n <= MOST_KEYS, two tiles. */
__attribute__((target("avx2,fma"))) static void take_avx2(struct part *w, const float *tiles, const float *v, int64_t n)
{
    float s[MOST_KEYS];

    for (int64_t t = 0; t < n; t += TILE)
        scores_of_tile_avx2(w, tiles + t * w->dim, s + t);
    exponentials_avx2(w, s, n);
    values_avx2(w, s, v, n);
}

static void one_head(const struct step *s, int64_t h, struct part *w)
{
    const int64_t dim = s->param[DIM], tokens = s->param[TOKENS];
    const float *tile = s->k + h * tiles_of(s->param) * TILE * dim, *v = s->v + h * tokens * dim;

    for (int64_t t = 0; t < tokens && s->fast; t += MOST_KEYS)
        take_avx2(w, tile + t * dim, v + t * dim, tokens - t < MOST_KEYS ? tokens - t : MOST_KEYS);
    for (int64_t t = 0; t < tokens && !s->fast; t += TILE)
        take_portable(w, tile + t * dim, v + t * dim, tokens - t < TILE ? tokens - t : TILE);
}

static int64_t key_floats(const int64_t *param)
{
    return tiles_of(param) * TILE * param[HEADS] * param[DIM];
}

static size_t workspace_bytes(const int64_t *param)
{
    return query_bytes(param) + (size_t)(key_floats(param) + param[TOKENS] * param[HEADS] * param[DIM]) * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    float *k = (float *)call->workspace + query_bytes(call->param) / sizeof(float), *v = k + key_floats(call->param);

    turn_keys(call->tensor[K], k, call->param);
    move_values(call->tensor[V], v, call->param[TOKENS], call->param[HEADS], call->param[DIM]);
    all_steps(call, k, v, one_head);
    return AISP_OK;
}

AISP_DECLARE("idea: keys packed into tiles of dim x 64, so that lanes run across tokens; values head by head\n"
             "expect: cycles / 5");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
