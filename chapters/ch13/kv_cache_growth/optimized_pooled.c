/* optimized_pooled - blocks of 32 tokens from one pool: a request takes the next free one when its last is full, and gives
 * all back when it is over.
 * Expected: as fast as room for the longest, for a block of 16 KiB is still one piece for attention, which asks the table
 * once for 32 tokens: 0.95 to 1.05x of it. What is gained is memory: no request holds more than 31 tokens too many, and a
 * block that one has left another takes while it is still in the cache.
 * Costs: a table for each request; attention must be able to work by blocks.
 * Here the pool is sized for the worst case, since a call may not fail; what it touches is what the requests have at one
 * time. */
#include "steps.h"

enum { BLOCK = 32 };

/* What a call works with, in the workspace: blocks (keys, then values, of BLOCK tokens), a table for each request, free
 * blocks. */
struct pool {
    float *block;
    int32_t *table, *is_free;
    int64_t n_free, blocks_of_one, floats;
};

static int64_t blocks_of(int64_t tokens)
{
    return (tokens + BLOCK - 1) / BLOCK;
}

static size_t workspace_bytes(const int64_t *param)
{
    const size_t blocks = (size_t)(param[REQUESTS] * blocks_of(param[MOST]));

    return blocks * 2 * BLOCK * (size_t)param[DIM] * sizeof(float) + 2 * blocks * sizeof(int32_t);
}

static struct pool pool_init(const struct aisp_call *call)
{
    struct pool p = { .blocks_of_one = blocks_of(call->param[MOST]), .floats = 2 * BLOCK * call->param[DIM] };

    p.n_free = call->param[REQUESTS] * p.blocks_of_one;
    p.block = call->workspace;
    p.table = (int32_t *)(p.block + p.n_free * p.floats);
    p.is_free = p.table + p.n_free;
    for (int64_t i = 0; i < p.n_free; i++) /* the last one is taken first: begin at the front */
        p.is_free[i] = (int32_t)(p.n_free - 1 - i);
    return p;
}

static void append(struct pool *p, int32_t *table, const struct step *s)
{
    const int64_t b = s->t / BLOCK, i = s->t % BLOCK;
    float *k;

    if (i == 0)
        table[b] = p->is_free[--p->n_free];
    k = p->block + table[b] * p->floats;
    memcpy(k + i * s->dim, s->k, (size_t)s->dim * sizeof *k);
    memcpy(k + (BLOCK + i) * s->dim, s->v, (size_t)s->dim * sizeof *k);
}

static void attend(const struct pool *p, const int32_t *table, const struct step *s)
{
    const int fast = has_avx2();
    struct part w = step_begin(s);

    for (int64_t b = 0; b < blocks_of(s->t + 1); b++) {
        const float *k = p->block + table[b] * p->floats;
        const int64_t n = s->t + 1 - b * BLOCK;

        part_take(&w, k, k + BLOCK * s->dim, n < BLOCK ? n : BLOCK, fast);
    }
    part_end(&w);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t requests = call->param[REQUESTS];
    struct pool p = pool_init(call);

    for (int64_t i = 0; i < call->param[MOST] * requests; i++) {
        const int64_t r = i % requests;
        const struct step s = step_of(call, i / requests, r);
        int32_t *table = p.table + r * p.blocks_of_one;

        if (step_is_over(call, s.t, r)) {
            if (s.t == ((const int32_t *)call->tensor[TOKENS])[r]) /* since this step */
                for (int64_t b = blocks_of(s.t) - 1; b >= 0; b--)
                    p.is_free[p.n_free++] = table[b];
            step_nothing(&s);
            continue;
        }
        append(&p, table, &s);
        attend(&p, table, &s);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: blocks of 32 tokens from a pool\n"
             "expect: bytes of cache touched / 2 of optimized_preallocated");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
