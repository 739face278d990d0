/* optimized_register_tiles - four queries at a time, and in registers a piece of 4 queries x 16 keys of the scores, then of 4
 * queries x 16 columns of the output: each vector of keys or values that is loaded serves four queries. Exponentials in eight
 * lanes.
 * Expected: optimized_keys_across loads and stores a sum for every multiply-add; here 8 fused operations take 2 loads and 4
 * broadcasts and no store, close to one an issue slot: 2 x 8 x 2 flops a cycle at best, and the exponentials fall from 2 ns
 * to 0.4 ns: 4 to 8x over optimized_keys_across.
 * Costs: AVX2 with FMA; blocks of four queries, of which the last overlaps the one before it. */
#include <aisp/variant.h>

#include "kit/exp8.h"
#include "problem.h"
#include "query.h"

enum { ROWS = 4, PIECE = 2 }; /* queries, and vectors a query, in registers */

struct block {
    const float *q; /* ROWS queries */
    float *o;
    int64_t dim;
    float scale, max[ROWS], sum[ROWS], s[ROWS][TILE];
};

AVX2 void scores_of_block(struct block *w, const float *tile)
{
    for (int64_t j = 0; j < TILE; j += PIECE * LANES) {
        __m256 a[ROWS][PIECE];

        for (int r = 0; r < ROWS; r++)
            a[r][0] = a[r][1] = _mm256_setzero_ps();
        for (int64_t d = 0; d < w->dim; d++) {
            const __m256 k0 = _mm256_loadu_ps(tile + d * TILE + j), k1 = _mm256_loadu_ps(tile + d * TILE + j + LANES);

            for (int r = 0; r < ROWS; r++) {
                const __m256 x = _mm256_broadcast_ss(w->q + r * w->dim + d);

                a[r][0] = _mm256_fmadd_ps(x, k0, a[r][0]);
                a[r][1] = _mm256_fmadd_ps(x, k1, a[r][1]);
            }
        }
        for (int r = 0; r < ROWS; r++)
            for (int p = 0; p < PIECE; p++)
                _mm256_storeu_ps(w->s[r] + j + p * LANES, _mm256_mul_ps(a[r][p], _mm256_set1_ps(w->scale)));
    }
}

/* Scores of one query become exponentials; what was summed before follows a maximum that rose. */
AVX2 void exponentials(struct block *w, int r, int64_t n)
{
    float *s = w->s[r], *o = w->o + r * w->dim, top;
    __m256 most = _mm256_set1_ps(w->max[r]), sum = _mm256_setzero_ps();

    for (int64_t j = n; j < TILE; j++)
        s[j] = -INFINITY;
    for (int64_t j = 0; j < TILE; j += LANES)
        most = _mm256_max_ps(most, _mm256_loadu_ps(s + j));
    top = lanes_max(most);
    if (top > w->max[r]) {
        const float factor = expf(w->max[r] - top);

        w->sum[r] *= factor;
        for (int64_t d = 0; d < w->dim; d++)
            o[d] *= factor;
        w->max[r] = top;
    }
    for (int64_t j = 0; j < TILE; j += LANES) {
        const __m256 e = exp8(_mm256_sub_ps(_mm256_loadu_ps(s + j), _mm256_set1_ps(top)));

        sum = _mm256_add_ps(sum, e);
        _mm256_storeu_ps(s + j, e);
    }
    w->sum[r] += lanes_sum(sum);
}

AVX2 void add_values(struct block *w, const float *v, int64_t n)
{
    int64_t d = 0;

    for (; d + PIECE * LANES <= w->dim; d += PIECE * LANES) {
        __m256 a[ROWS][PIECE];

        for (int r = 0; r < ROWS; r++)
            for (int p = 0; p < PIECE; p++)
                a[r][p] = _mm256_loadu_ps(w->o + r * w->dim + d + p * LANES);
        for (int64_t j = 0; j < n; j++) {
            const __m256 v0 = _mm256_loadu_ps(v + j * w->dim + d), v1 = _mm256_loadu_ps(v + j * w->dim + d + LANES);

            for (int r = 0; r < ROWS; r++) {
                const __m256 e = _mm256_broadcast_ss(w->s[r] + j);

                a[r][0] = _mm256_fmadd_ps(e, v0, a[r][0]);
                a[r][1] = _mm256_fmadd_ps(e, v1, a[r][1]);
            }
        }
        for (int r = 0; r < ROWS; r++)
            for (int p = 0; p < PIECE; p++)
                _mm256_storeu_ps(w->o + r * w->dim + d + p * LANES, a[r][p]);
    }
    for (int r = 0; r < ROWS && d < w->dim; r++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t c = d; c < w->dim; c++)
                w->o[r * w->dim + c] += w->s[r][j] * v[j * w->dim + c];
}

__attribute__((target("avx2,fma"))) static void attend_block(struct block *w, const float *tiles, const float *v, int64_t seq)
{
    for (int r = 0; r < ROWS; r++) {
        w->max[r] = -INFINITY;
        w->sum[r] = 0;
    }
    for (int64_t c = 0; c < ROWS * w->dim; c++)
        w->o[c] = 0;
    for (int64_t j = 0; j < seq; j += TILE) {
        const int64_t n = seq - j < TILE ? seq - j : TILE;

        scores_of_block(w, tiles + j * w->dim);
        for (int r = 0; r < ROWS; r++)
            exponentials(w, r, n);
        add_values(w, v + j * w->dim, n);
    }
    for (int r = 0; r < ROWS; r++)
        for (int64_t c = 0; c < w->dim; c++)
            w->o[r * w->dim + c] /= w->sum[r];
}

static size_t workspace_bytes(const int64_t *param)
{
    return tiles_bytes(param[SEQ], param[DIM]);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *q = call->tensor[Q], *v = call->tensor[V];
    const int64_t seq = call->param[SEQ], dim = call->param[DIM];
    const int fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && seq >= ROWS;
    float *o = call->tensor[O], *tiles = call->workspace;

    turn_keys(call->tensor[K], tiles, seq, dim, TILE);
    for (int64_t i = 0; i < seq && !fast; i++)
        attend(q + i * dim, tiles, v, o + i * dim, seq, dim);
    for (int64_t i = 0; i < seq && fast; i += ROWS) {
        const int64_t at = i + ROWS <= seq ? i : seq - ROWS;
        struct block w = { .q = q + at * dim, .o = o + at * dim, .dim = dim, .scale = 1 / sqrtf((float)dim) };

        attend_block(&w, tiles, v, seq);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: 4 queries x 16 keys, then 4 queries x 16 columns, in registers; exponentials in eight lanes\n"
             "expect: cycles / 12");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
