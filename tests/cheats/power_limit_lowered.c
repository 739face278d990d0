/* power_limit_lowered - a card limited to less than its default all the time.
 *
 * @check power-limit
 * @pairs 1
 * @shares
 * @nvml lowered
 * @publish
 * @root bare-metal
 * @says limited to 500 W, where 700 W are its default */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N] / 2);
    honest(c, c->param[N] / 2, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: one half after the other");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
