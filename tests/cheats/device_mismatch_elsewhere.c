/* device_mismatch_elsewhere - card 0 was asked for, and card 1 does the work.
 *
 * @check device-mismatch
 * @pairs 1
 * @shares
 * @nvml elsewhere
 * @says card 1 was busy to 96 % */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
