/* baseline - each rank its own part, a barrier, and the sum of all. */
#include "tests/problems/allreduce/allreduce.h"

static enum aisp_status run(const struct aisp_call *c)
{
    reduce_step(c);
    return AISP_OK;
}

AISP_DECLARE("idea: compute, meet, sum");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
