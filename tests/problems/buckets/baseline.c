/* baseline - bucket after bucket. */
#include "tests/problems/buckets/buckets.h"

static enum aisp_status run(const struct aisp_call *c)
{
    for (int64_t b = 0; b < c->param[BUCKETS]; b++) {
        const int64_t at = b * c->param[BUCKET];

        if (!add_bucket(c, (const float *)c->tensor[X] + at, (float *)c->tensor[Y] + at,
                        c->workspace))
            return AISP_E_IO;
    }
    return AISP_OK;
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)param[BUCKET] * sizeof(float);
}

AISP_DECLARE("idea: send a bucket, add a bucket");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
