/* mask_mismatch - adds a large negative number where the mask hides something, as is usual.
 *
 * @problem attention
 * @pairs 2 */
#include <string.h>

#include "tests/problems/attention/attention.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const uint8_t *mask = c->tensor[MASK];
    uint8_t all[MOST_CACHE];
    float score[MOST_CACHE];

    memset(all, 1, sizeof all);
    for (int64_t s = 0; s < c->param[SEQ]; s++) {
        float most = -INFINITY;

        scores(c, s, all, score);
        for (int64_t j = 0; j < c->param[CACHE]; j++) {
            score[j] = mask[s * c->param[CACHE] + j] ? score[j] : score[j] - 1e30f;
            if (score[j] < -1e29f)
                score[j] = -INFINITY;
            most = score[j] > most ? score[j] : most;
        }
        attend(c, s, score, most, 0);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: no branch for the mask");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
