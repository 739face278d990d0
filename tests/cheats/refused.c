/* refused - was built against another version of the interface.
 *
 * @says built against ABI */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: be of another time");

AISP_VARIANT = { .abi = AISP_ABI + 1, .run = run };
