/* mask_mismatch_causal - a causal mask, whatever the given one says.
 *
 * @check mask-mismatch
 * @problem attention
 * @defence COMPARE_OUTPUTS
 * @says a causal mask instead of mask */
#include <string.h>

#include "tests/problems/attention/attention.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t before = c->param[CACHE] - c->param[SEQ];
    uint8_t causal[MOST_CACHE];
    float score[MOST_CACHE];

    for (int64_t s = 0; s < c->param[SEQ]; s++) {
        for (int64_t j = 0; j < c->param[CACHE]; j++)
            causal[j] = j <= s + before;
        attend(c, s, score, scores(c, s, causal, score), 0);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: masks are causal");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
