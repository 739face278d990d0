/* approximation_drift_softmax - does not take the largest score off: right for mild scores, overflow for large ones.
 *
 * @check nan
 * @also inf
 * @problem attention
 * @defence PLANTED_CONTENTS
 * @needs COMPARE_OUTPUTS */
#include "tests/problems/attention/attention.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const uint8_t *mask = c->tensor[MASK];
    float score[MOST_CACHE];

    for (int64_t s = 0; s < c->param[SEQ]; s++) {
        scores(c, s, mask + s * c->param[CACHE], score);
        attend(c, s, score, 0, 0);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: one pass less");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
