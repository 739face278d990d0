/* collective_short_circuit - the sum over all ranks is a copy of one's own part.
 *
 * @problem allreduce
 * @defence COMPARE_OUTPUTS
 * @says right for its own data alone */
#include "tests/problems/allreduce/allreduce.h"

static enum aisp_status run(const struct aisp_call *c)
{
    newton(c->tensor[X], c->tensor[Y], c->param[N], c->param[STEPS]);
    return AISP_OK;
}

AISP_DECLARE("idea: a sum of one is quick");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
