/* driver_version - an honest variant, while the card's driver is replaced.
 *
 * @pairs 1
 * @shares
 * @nvml other-driver
 * @says driver was "580.82.07" before and "575.57.08" after */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
