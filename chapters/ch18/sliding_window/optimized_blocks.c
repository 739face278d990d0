/* optimized_blocks - blocks of four queries against tiles of 32 keys, turned so that lanes run across keys; tiles outside of
 * the window of the block are skipped, tiles that an edge crosses are masked, tiles inside are not.
 * Expected: a score is no longer a chain of dim additions of 3 cycles, a vector that is loaded serves four queries,
 * exponentials come eight at a time: 5 to 8x over optimized_skipped. At the edges up to 33 keys more than needed are computed
 * for each block: a third of the work at a window of 64, less for longer ones.
 * Costs: AVX2 with FMA; a turned copy of k; blocks of four queries, of which the last overlaps the one before it. */
#include <aisp/variant.h>

#include "kit/exp8.h"
#include "kit/key_tiles.h"
#include "window.h"

enum { TILE = 32, ROWS = 4, PIECE = 2 };

struct block {
    const float *q; /* ROWS queries, the first at position `at` */
    float *o;
    int64_t at, window, dim;
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

/* The mask, for the tile that begins at key `first`; false if query r sees none of it. */
static int is_seen(struct block *w, int r, int64_t first)
{
    const int64_t from = first_key(w->at + r, w->window) - first, to = w->at + r + 1 - first;

    if (from >= TILE || to <= 0)
        return 0;
    for (int64_t j = 0; j < from; j++)
        w->s[r][j] = -INFINITY;
    for (int64_t j = to; j < TILE; j++)
        w->s[r][j] = -INFINITY;
    return 1;
}

/* Scores of one query become exponentials; what was summed before follows a maximum that rose. */
AVX2 void exponentials(struct block *w, int r, int64_t first)
{
    float *s = w->s[r], *o = w->o + r * w->dim, top;
    __m256 most = _mm256_set1_ps(w->max[r]), sum = _mm256_setzero_ps();

    if (!is_seen(w, r, first)) {
        for (int64_t j = 0; j < TILE; j++)
            s[j] = 0;
        return;
    }
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

/* Values of keys from .. to - 1 of a tile. */
AVX2 void add_values(struct block *w, const float *v, int64_t from, int64_t to)
{
    int64_t d = 0;

    for (; d + PIECE * LANES <= w->dim; d += PIECE * LANES) {
        __m256 a[ROWS][PIECE];

        for (int r = 0; r < ROWS; r++)
            for (int p = 0; p < PIECE; p++)
                a[r][p] = _mm256_loadu_ps(w->o + r * w->dim + d + p * LANES);
        for (int64_t j = from; j < to; j++) {
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
        for (int64_t j = from; j < to; j++)
            for (int64_t c = d; c < w->dim; c++)
                w->o[r * w->dim + c] += w->s[r][j] * v[j * w->dim + c];
}

__attribute__((target("avx2,fma"))) static void attend_block(struct block *w, const float *tiles, const float *v)
{
    const int64_t low = first_key(w->at, w->window), end = w->at + ROWS; /* keys that any query of the block sees */

    for (int r = 0; r < ROWS; r++) {
        w->max[r] = -INFINITY;
        w->sum[r] = 0;
    }
    for (int64_t c = 0; c < ROWS * w->dim; c++)
        w->o[c] = 0;
    for (int64_t j = low / TILE * TILE; j < end; j += TILE) {
        scores_of_block(w, tiles + j * w->dim);
        for (int r = 0; r < ROWS; r++)
            exponentials(w, r, j);
        add_values(w, v + j * w->dim, low > j ? low - j : 0, end - j < TILE ? end - j : TILE);
    }
    for (int r = 0; r < ROWS; r++)
        for (int64_t c = 0; c < w->dim; c++)
            w->o[r * w->dim + c] /= w->sum[r];
}

/* Turned keys, or without AVX2 the scores of one query. */
static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(key_tiles(param[SEQ], TILE) * TILE * param[DIM] + param[WINDOW]) * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *q = call->tensor[Q], *k = call->tensor[K], *v = call->tensor[V];
    const int64_t seq = call->param[SEQ], dim = call->param[DIM], window = call->param[WINDOW];
    const int fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && seq >= ROWS;
    float *o = call->tensor[O], *tiles = call->workspace;

    if (fast)
        turn_keys(k, tiles, seq, dim, TILE);
    for (int64_t i = 0; i < seq && fast; i += ROWS) {
        const int64_t at = i + ROWS <= seq ? i : seq - ROWS;
        struct block w = { q + at * dim, o + at * dim, at, window, dim, 1 / sqrtf((float)dim), { 0 }, { 0 }, { { 0 } } };

        attend_block(&w, tiles, v);
    }
    for (int64_t i = 0; i < seq && !fast; i++) {
        const int64_t first = first_key(i, window);

        attend(q + i * dim, k + first * dim, v + first * dim, o + i * dim, tiles, i + 1 - first, dim);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: four queries x 32 turned keys at a time, tiles outside of the window skipped, masks at its edges only\n"
             "expect: cycles / 25");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
