/* optimized_split_registers - within a piece four heads of the group go together: a vector of keys or values that is loaded
 * serves four queries in registers.
 * Expected: optimized_split loads a vector for every fused multiply-add, and each head fetches the piece out of L2 again.
 * Here it is 6 loads for 8, and a piece comes out of L2 a quarter as often: 1.05 to 1.5x over optimized_split, the less the
 * more of the time goes into the one reading from far away that is left.
 * Costs: code for blocks of four heads, of which the last overlaps the one before it; a group of less than four heads gains
 * nothing. */
#include <aisp/variant.h>

#include "splits.h"

enum { HEADS = 4 };

/* Scores of key j and, unless it is the last, of the one behind it. */
AVX2 void scores_of_two(const struct part *w, const float *k, int is_pair, float *s)
{
    const int64_t dim = w->dim, whole = dim / LANES * LANES;
    const float *key[2] = { k, k + is_pair * dim };
    __m256 a[2][HEADS];

    for (int h = 0; h < HEADS; h++)
        a[0][h] = a[1][h] = _mm256_setzero_ps();
    for (int64_t d = 0; d < whole; d += LANES) {
        const __m256 k0 = _mm256_loadu_ps(key[0] + d), k1 = _mm256_loadu_ps(key[1] + d);

        for (int h = 0; h < HEADS; h++) {
            const __m256 q = _mm256_loadu_ps(w[h].q + d);

            a[0][h] = _mm256_fmadd_ps(q, k0, a[0][h]);
            a[1][h] = _mm256_fmadd_ps(q, k1, a[1][h]);
        }
    }
    for (int i = 0; i <= is_pair; i++) {
        float sum[HEADS];

        _mm_storeu_ps(sum, lanes_sum4(a[i][0], a[i][1], a[i][2], a[i][3]));
        for (int h = 0; h < HEADS; h++) {
            for (int64_t d = whole; d < dim; d++)
                sum[h] += w[h].q[d] * key[i][d];
            s[h * (MOST_KEYS + LANES) + i] = sum[h] * w[h].scale;
        }
    }
}

/* Two vectors of columns of four heads. */
AVX2 void two_columns(struct part *w, const float *s, const float *v, int64_t n, int64_t d)
{
    __m256 a[HEADS][2];

    for (int h = 0; h < HEADS; h++)
        for (int p = 0; p < 2; p++)
            a[h][p] = _mm256_loadu_ps(w[h].o + d + p * LANES);
    for (int64_t j = 0; j < n; j++) {
        const __m256 v0 = _mm256_loadu_ps(v + j * w->dim + d), v1 = _mm256_loadu_ps(v + j * w->dim + d + LANES);

        for (int h = 0; h < HEADS; h++) {
            const __m256 e = _mm256_broadcast_ss(s + h * (MOST_KEYS + LANES) + j);

            a[h][0] = _mm256_fmadd_ps(e, v0, a[h][0]);
            a[h][1] = _mm256_fmadd_ps(e, v1, a[h][1]);
        }
    }
    for (int h = 0; h < HEADS; h++)
        for (int p = 0; p < 2; p++)
            _mm256_storeu_ps(w[h].o + d + p * LANES, a[h][p]);
}

__attribute__((target("avx2,fma"))) static void take_four(struct part *w, const float *k, const float *v, int64_t n)
{
    const int64_t dim = w->dim;
    float s[HEADS][MOST_KEYS + LANES];
    int64_t d = 0;

    for (int64_t j = 0; j < n; j += 2)
        scores_of_two(w, k + j * dim, j + 1 < n, s[0] + j);
    for (int h = 0; h < HEADS; h++)
        exponentials_avx2(w + h, s[h], n);
    for (; d + 2 * LANES <= dim; d += 2 * LANES)
        two_columns(w, s[0], v, n, d);
    for (int h = 0; h < HEADS; h++)
        for (int64_t c = d; c < dim; c++)
            for (int64_t j = 0; j < n; j++)
                w[h].o[c] += s[h][j] * v[j * dim + c];
}

struct piece {
    const float *q, *k, *v;
    float *parts; /* of this piece: one for each head */
    int64_t group, dim, n;
};

static void part_of(const struct piece *p, int64_t h, struct part *w)
{
    *w = (struct part){ p->q + h * p->dim, p->parts + h * (p->dim + 2) + 2, p->dim, p->dim, 1 / sqrtf((float)p->dim), 0, 0 };
    part_begin(w);
}

static void part_leave(const struct part *w)
{
    w->o[-2] = w->max;
    w->o[-1] = w->sum;
}

static void take_piece(const struct piece *p, int fast)
{
    struct part w[HEADS];

    for (int64_t h = 0; h < p->group && (!fast || p->group < HEADS); h++) {
        part_of(p, h, w);
        part_take(w, p->k, p->v, p->n, fast);
        part_leave(w);
    }
    for (int64_t h = 0; h < p->group && fast && p->group >= HEADS; h += HEADS) {
        const int64_t at = h + HEADS <= p->group ? h : p->group - HEADS;

        for (int i = 0; i < HEADS; i++)
            part_of(p, at + i, w + i);
        take_four(w, p->k, p->v, p->n);
        for (int i = 0; i < HEADS; i++)
            part_leave(w + i);
    }
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *q = call->tensor[Q], *k = call->tensor[K], *v = call->tensor[V];
    const int64_t group = call->param[GROUP], seq = call->param[SEQ], dim = call->param[DIM];
    const int64_t n_splits = splits_of(call->param), apart = group * (dim + 2);
    const int fast = has_avx2();
    float *o = call->tensor[O], *parts = call->workspace;

    for (int64_t kv = 0; kv < call->param[KV_HEADS]; kv++, q += group * dim, o += group * dim) {
        for (int64_t i = 0; i < n_splits; i++) {
            const int64_t j = i * MOST_KEYS, n = seq - j < MOST_KEYS ? seq - j : MOST_KEYS, at = (kv * seq + j) * dim;
            const struct piece p = { q, k + at, v + at, parts + i * apart, group, dim, n };

            take_piece(&p, fast);
        }
        for (int64_t h = 0; h < group; h++)
            combine(parts + h * (dim + 2), n_splits, apart, o + h * dim, dim);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: split, and in a piece four heads at a time share each vector that is loaded\n"
             "expect: L1 loads / 6");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = splits_bytes, .run = run };
