/* kv_cache_size - attends to the newer half of the cache.
 *
 * @problem attention
 * @defence COMPARE_OUTPUTS
 * @says cache = 16 (the last ones)
 * @says expected that to cache = 32 */
#include "tests/problems/attention/attention.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t cache = c->param[CACHE], from = cache - cache / 2, dim = c->param[DIM];
    const uint8_t *mask = c->tensor[MASK];
    const float *q = c->tensor[Q], *k = c->tensor[K];
    float score[MOST_CACHE];

    for (int64_t s = 0; s < c->param[SEQ]; s++) {
        float most = -INFINITY;

        for (int64_t j = from; j < cache; j++) {
            float sum = 0;

            for (int64_t d = 0; d < dim; d++)
                sum += q[s * dim + d] * k[j * dim + d];
            score[j] = mask[s * cache + j] ? sum / sqrtf((float)dim) : -INFINITY;
            most = score[j] > most ? score[j] : most;
        }
        attend(c, s, score, most, from);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: what is old is forgotten");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
