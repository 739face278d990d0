/* thermal - an honest variant on a card that is too hot for a while.
 *
 * @pairs 2
 * @nvml throttle
 * @says slowed down by heat */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N] / 2);
    honest(c, c->param[N] / 2, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: one half after the other");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
