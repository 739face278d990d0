/* background_noise_card - an honest variant on a card on which others compute.
 *
 * @check background-noise
 * @nvml shared
 * @publish
 * @root bare-metal
 * @says 2 other processes compute on the card */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
