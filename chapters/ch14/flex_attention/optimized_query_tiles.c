/* optimized_query_tiles - four queries at a time against the blocks that are left; keys are turned once for each head, so
 * that lanes run across keys.
 * Expected: a key or value that is loaded serves four queries, and eight sums are under way where a dot product of 32
 * dimensions had four and then a sum across lanes: 1.5 to 2x of full_blocks.
 * Costs: a turned copy of the keys; the queries that are left over, three at most, go one by one. */
#include "block_table.h"
#include "kit/key_tiles.h"

enum { QUERIES = 4, WIDE = 2 };

struct four {
    struct query query[QUERIES];
    float s[QUERIES][BLOCK + LANES];
};

static size_t turned_floats(const int64_t *param)
{
    return (size_t)(blocks_of(param[SEQ]) * BLOCK * param[DIM]);
}

static size_t table_bytes(const int64_t *param)
{
    return (table_workspace(param) + 63) / 64 * 64;
}

static size_t workspace_bytes(const int64_t *param)
{
    return table_bytes(param) + turned_floats(param) * sizeof(float);
}

/* Scores of four queries against one turned block. */
AVX2 void scores_of_four(struct four *f, const float *turned)
{
    const struct part *part = &f->query[0].part; /* four queries lie one behind the other */
    const __m256 scale = _mm256_set1_ps(part->scale);

    for (int64_t j = 0; j < BLOCK; j += WIDE * LANES) {
        __m256 sum[QUERIES][WIDE];

        for (int r = 0; r < QUERIES; r++)
            sum[r][0] = sum[r][1] = _mm256_setzero_ps();
        for (int64_t d = 0; d < part->dim; d++) {
            const __m256 k0 = _mm256_loadu_ps(turned + d * BLOCK + j), k1 = _mm256_loadu_ps(turned + d * BLOCK + j + LANES);

            for (int r = 0; r < QUERIES; r++) {
                const __m256 q = _mm256_broadcast_ss(part->q + r * part->dim + d);

                sum[r][0] = _mm256_fmadd_ps(q, k0, sum[r][0]);
                sum[r][1] = _mm256_fmadd_ps(q, k1, sum[r][1]);
            }
        }
        for (int r = 0; r < QUERIES; r++)
            for (int v = 0; v < WIDE; v++)
                _mm256_storeu_ps(f->s[r] + j + v * LANES, _mm256_mul_ps(sum[r][v], scale));
    }
}

/* `vectors` vectors of columns from column d on, a constant of the call. */
AVX2 void columns_of_four(struct four *f, const float *v, int64_t n, int64_t d, const int vectors)
{
    const int64_t dim = f->query[0].part.dim;
    float *o = f->query[0].part.o + d;
    __m256 sum[QUERIES][WIDE];

    for (int r = 0; r < QUERIES; r++)
        for (int p = 0; p < vectors; p++)
            sum[r][p] = _mm256_loadu_ps(o + r * dim + p * LANES);
    for (int64_t j = 0; j < n; j++)
        for (int r = 0; r < QUERIES; r++) {
            const __m256 e = _mm256_broadcast_ss(f->s[r] + j);

            for (int p = 0; p < vectors; p++)
                sum[r][p] = _mm256_fmadd_ps(e, _mm256_loadu_ps(v + j * dim + d + p * LANES), sum[r][p]);
        }
    for (int r = 0; r < QUERIES; r++)
        for (int p = 0; p < vectors; p++)
            _mm256_storeu_ps(o + r * dim + p * LANES, sum[r][p]);
}

AVX2 void values_of_four(struct four *f, const float *v, int64_t n)
{
    const int64_t dim = f->query[0].part.dim;
    int64_t d = 0;

    for (; d + WIDE * LANES <= dim; d += WIDE * LANES)
        columns_of_four(f, v, n, d, WIDE);
    for (; d + LANES <= dim; d += LANES)
        columns_of_four(f, v, n, d, 1);
    for (int r = 0; r < QUERIES && d < dim; r++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t c = d; c < dim; c++)
                f->query[r].part.o[c] += f->s[r][j] * v[j * dim + c];
}

/* Queries i .. i + 3 of one head, all in one row of blocks. */
AVX2 void attend_four(const struct aisp_call *call, const float *turned, int64_t head, int64_t i)
{
    const int64_t seq = call->param[SEQ], blocks = blocks_of(seq), dim = call->param[DIM];
    const uint8_t *row = table_of(call) + i / BLOCK * blocks;
    struct four f;

    for (int r = 0; r < QUERIES; r++)
        f.query[r] = query_begin(call, head, i + r);
    for (int64_t b = 0; b < blocks; b++) {
        const int64_t j = b * BLOCK, n = seq - j < BLOCK ? seq - j : BLOCK;

        if (row[b] == BLOCK_EMPTY)
            continue;
        scores_of_four(&f, turned + j * dim);
        for (int r = 0; r < QUERIES; r++) {
            if (row[b] == BLOCK_FULL)
                scores_modify(&f.query[r], f.s[r], j, n, 0);
            else
                scores_modify(&f.query[r], f.s[r], j, n, 1);
            exponentials_avx2(&f.query[r].part, f.s[r], n);
        }
        values_of_four(&f, f.query[0].v + j * dim, n);
    }
    for (int r = 0; r < QUERIES; r++)
        part_end(&f.query[r].part);
}

__attribute__((target("avx2,fma"))) static void attend_avx2(const struct aisp_call *call)
{
    const int64_t seq = call->param[SEQ], dim = call->param[DIM], whole = seq - seq % QUERIES;
    float *turned = (float *)((char *)call->workspace + table_bytes(call->param));

    for (int64_t h = 0; h < call->param[HEADS]; h++) {
        turn_keys((const float *)call->tensor[K] + h * seq * dim, turned, seq, dim, BLOCK);
        for (int64_t i = 0; i < whole; i += QUERIES)
            attend_four(call, turned, h, i);
        for (int64_t i = whole; i < seq; i++)
            attend_query(call, h, i, 1);
    }
}

static enum aisp_status run(const struct aisp_call *call)
{
    find_documents(call, call->workspace);
    find_blocks(call);
    (has_avx2() ? attend_avx2 : attend_blocks_portable)(call);
    return AISP_OK;
}

AISP_DECLARE("idea: four queries at a time against turned blocks of keys\n"
             "expect: instructions / 1.8 of optimized_full_blocks");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
