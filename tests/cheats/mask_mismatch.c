/* mask_mismatch - looks at what the mask hides.
 *
 * @problem attention
 * @defence COMPARE_OUTPUTS
 * @says no mask at all instead of mask */
#include <string.h>

#include "tests/problems/attention/attention.h"

static enum aisp_status run(const struct aisp_call *c)
{
    uint8_t all[MOST_CACHE];
    float score[MOST_CACHE];

    memset(all, 1, sizeof all);
    for (int64_t s = 0; s < c->param[SEQ]; s++) {
        const float most = scores(c, s, all, score);

        attend(c, s, score, most, 0);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: a mask costs time");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
