/* kv_cache_size - the cache in two windows as well, both of them used: the second goes on where the first ended.
 *
 * @problem attention
 * @pairs 2 */
#include "tests/problems/attention/attention.h"

static void add_window(const struct aisp_call *c, const float *score, float most, int64_t from, int64_t to, float *sum,
                       float *total)
{
    const int64_t dim = c->param[DIM];
    const float *v = c->tensor[V];

    for (int64_t j = from; j < to; j++) {
        const float p = score[j] == -INFINITY ? 0 : expf(score[j] - most);

        *total += p;
        for (int64_t d = 0; d < dim; d++)
            sum[d] += p * v[j * dim + d];
    }
}

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t cache = c->param[CACHE], dim = c->param[DIM];
    const uint8_t *mask = c->tensor[MASK];
    float score[MOST_CACHE], sum[64];

    for (int64_t s = 0; s < c->param[SEQ]; s++) {
        const float most = scores(c, s, mask + s * cache, score);
        float total = 0;

        for (int64_t d = 0; d < dim; d++)
            sum[d] = 0;
        add_window(c, score, most, cache / 2, cache, sum, &total);
        add_window(c, score, most, 0, cache / 2, sum, &total);
        for (int64_t d = 0; d < dim; d++)
            ((float *)c->tensor[Y])[s * dim + d] = total > 0 ? sum[d] / total : 0;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: two windows");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
