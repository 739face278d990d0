/* blocks.h - one query against a block of keys, with the score function and, if wanted, the mask compiled in. The rungs
 * share it and differ in the blocks that they ask for.
 * A masked score is so small a number that it loses against any other, and not minus infinity: a block of nothing but
 * masked ones in front of the first seen key then counts until that comes, and is scaled away by it. Every query sees
 * itself. */
#ifndef FLEX_ATTENTION_BLOCKS_H
#define FLEX_ATTENTION_BLOCKS_H

#include "documents.h"
#include "kit/decode.h"

enum { BLOCK = 32 };

struct query {
    struct part part;
    const int32_t *document;
    const float *k, *v;
    int64_t i;
    float slope;
};

/* s[x] is the score of key j + x; s has room for whole vectors, document only for n. `masks` is a constant of the call. */
AVX2 void scores_modify(const struct query *w, float *s, int64_t j, int64_t n, const int masks)
{
    const __m256 slope = _mm256_set1_ps(w->slope), lane = _mm256_setr_ps(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i own = _mm256_set1_epi32(w->document[w->i]);
    int64_t x = 0;

    for (; x + LANES <= n; x += LANES) {
        const __m256 distance = _mm256_sub_ps(_mm256_set1_ps((float)(w->i - j - x)), lane);
        const __m256i same = _mm256_cmpeq_epi32(own, _mm256_loadu_si256((const __m256i *)(w->document + j + x)));
        const __m256 seen = _mm256_and_ps(_mm256_castsi256_ps(same), _mm256_cmp_ps(distance, _mm256_setzero_ps(), _CMP_GE_OQ));
        const __m256 y = _mm256_fnmadd_ps(slope, distance, _mm256_loadu_ps(s + x));

        _mm256_storeu_ps(s + x, masks ? _mm256_blendv_ps(_mm256_set1_ps(-1e30f), y, seen) : y);
    }
    for (; x < n; x++)
        s[x] = !masks || is_seen(w->document, w->i, j + x) ? score(s[x], w->slope, w->i, j + x) : -1e30f;
}

/* Keys j .. j + n - 1, n <= BLOCK. */
AVX2 void take_block(struct query *w, int64_t j, int64_t n, const int masks)
{
    float s[BLOCK + LANES];

    scores_avx2(&w->part, w->k + j * w->part.dim, n, s);
    scores_modify(w, s, j, n, masks);
    exponentials_avx2(&w->part, s, n);
    values_avx2(&w->part, s, w->v + j * w->part.dim, n);
}

/* The same in plain C, always with the mask. */
static inline void take_block_portable(struct query *w, int64_t j, int64_t n)
{
    struct part *p = &w->part;
    float s[BLOCK], top = p->max;

    for (int64_t x = 0; x < n; x++) {
        float dot = 0;

        for (int64_t d = 0; d < p->dim; d++)
            dot += p->q[d] * w->k[(j + x) * p->dim + d];
        s[x] = is_seen(w->document, w->i, j + x) ? score(dot * p->scale, w->slope, w->i, j + x) : -1e30f;
        top = s[x] > top ? s[x] : top;
    }
    if (top > p->max)
        part_raise(p, top);
    for (int64_t x = 0; x < n; x++) {
        const float e = expf(s[x] - top);

        p->sum += e;
        for (int64_t d = 0; d < p->dim; d++)
            p->o[d] += e * w->v[(j + x) * p->dim + d];
    }
}

static inline struct query query_begin(const struct aisp_call *call, int64_t head, int64_t i)
{
    const int64_t dim = call->param[DIM], at = head * call->param[SEQ] * dim;
    struct query w = { .document = call->workspace,
                       .k = (const float *)call->tensor[K] + at,
                       .v = (const float *)call->tensor[V] + at,
                       .i = i,
                       .slope = SLOPE_OF(head) };

    w.part = (struct part){ .q = (const float *)call->tensor[Q] + at + i * dim,
                            .o = (float *)call->tensor[O] + at + i * dim,
                            .dim = dim,
                            .apart = dim,
                            .scale = 1 / sqrtf((float)dim) };
    part_begin(&w.part);
    return w;
}

#endif
