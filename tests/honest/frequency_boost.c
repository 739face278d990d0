/* frequency_boost - on a card that changes its clock by less than a hundredth.
 *
 * @pairs 2
 * @nvml warm */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N] / 2);
    honest(c, c->param[N] / 2, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: one half after the other");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
