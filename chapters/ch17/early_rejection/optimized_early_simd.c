/* optimized_early_simd - optimized_early_columns, and attention in eight lanes too: scores of four keys at a time, a polynomial
 * exponential, values by columns.
 * Expected: most of the time that is left is attention, over some 55 keys a step one by one, with a call for each exponential;
 * four keys and eight lanes at a time are 3 to 5x for that part, 1.7 to 2.5x over optimized_early_columns.
 * Costs: AVX2 with FMA. */
#include "columns.h"
#include "kit/decode.h"

static void attend_simd(struct server *s, float *o, int64_t n)
{
    const int64_t dim = s->call->param[DIM];
    float sum[MOST_DIM];
    struct part w = { .q = s->q, .o = sum, .dim = dim, .apart = dim, .scale = 1 / sqrtf((float)dim) };

    part_begin(&w);
    for (int64_t t = 0; t < n; t += MOST_KEYS)
        part_take(&w, s->k + t * dim, s->v + t * dim, n - t < MOST_KEYS ? n - t : MOST_KEYS, 1);
    part_end(&w);
    for (int64_t d = 0; d < dim; d++)
        o[d] += sum[d];
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int fast = has_avx2();
    struct server s;

    server_open(&s, call);
    for (int64_t i = 0; i < call->param[REQUESTS]; i++) {
        const int64_t r = s.ask[i].request;

        if (!takes_place(&s, &s.ask[i]))
            refuse(&s, r);
        else if (fast)
            serve_columns(&s, r, attend_simd);
        else {
            prefill(&s, r);
            decode(&s, r);
        }
    }
    return AISP_OK;
}

AISP_DECLARE("idea: attention in eight lanes as well\n"
             "expect: cycles / 2 of optimized_early_columns\n"
             "uses: allocates");

AISP_VARIANT = {
    .abi = AISP_ABI, .workspace_bytes = server_bytes, .setup = columns_setup, .run = run, .teardown = columns_teardown,
};
