/* baseline - step by step. */
#include "tests/problems/diffusion/diffusion.h"

static enum aisp_status run(const struct aisp_call *c)
{
    diffuse(c, c->param[STEPS]);
    return AISP_OK;
}

AISP_DECLARE("idea: the definition");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
