/* refused_failed - says itself that it failed.
 *
 * @check refused
 * @says returned AISP_E_UNAVAILABLE */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_E_UNAVAILABLE;
}

AISP_DECLARE("idea: fail at once, which is quick");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
