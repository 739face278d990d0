/* power_limit - an honest variant on a card whose power limit somebody lowers meanwhile.
 *
 * @pairs 2
 * @nvml capped
 * @publish
 * @root bare-metal
 * @says power limit changed during the run: 350 to 700 W */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N] / 2);
    honest(c, c->param[N] / 2, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: one half after the other");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
