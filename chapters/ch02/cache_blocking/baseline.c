/* baseline - one question after the other, each with a pass over all of x. */
#include <aisp/variant.h>

#include "problem.h"
#include "count.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const float *threshold = call->tensor[THRESHOLD], *x = call->tensor[X];
    int32_t *count = call->tensor[COUNT];

    for (int64_t q = 0; q < call->param[QUERIES]; q++)
        count[q] = count_below(x, call->param[N], threshold[q]);
    return AISP_OK;
}

AISP_DECLARE("idea: a pass over the array for each question");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
