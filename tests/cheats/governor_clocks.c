/* governor_clocks - a machine on which one core runs at a third of the others' clock.
 *
 * @check governor
 * @publish
 * @root slow-core
 * @says cores run at 1.20 to 3.70 GHz */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
