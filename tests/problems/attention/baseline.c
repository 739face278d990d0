/* baseline - one query after the other, the largest score taken off. */
#include "tests/problems/attention/attention.h"

static enum aisp_status run(const struct aisp_call *c)
{
    attention(c, 0, c->param[SEQ]);
    return AISP_OK;
}

AISP_DECLARE("idea: the definition");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
