/* baseline - a loop for each segment. */
#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t segments = call->param[SEGMENTS], room = call->param[ROOM];
    const int32_t *length = call->tensor[LENGTH];
    const float *x = call->tensor[X];
    float *sum = call->tensor[SUM];

    for (int64_t s = 0; s < segments; s++) {
        float t = 0;

        for (int64_t i = 0; i < length[s] && i < room; i++)
            t += x[s * room + i];
        sum[s] = t;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: a loop for each segment");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
