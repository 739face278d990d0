/* frequency_boost - an honest variant on a card whose clock falls from block to block.
 *
 * @pairs 2
 * @nvml drifting
 * @publish
 * @root bare-metal
 * @says the card's clock drifted */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N] / 2);
    honest(c, c->param[N] / 2, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: one half after the other");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
