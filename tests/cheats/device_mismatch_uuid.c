/* device_mismatch_uuid - a card was asked for by a UUID that no card of this machine has.
 *
 * @check device-mismatch
 * @nvml steady
 * @card GPU-33333333-0000-0000-0000-000000000000
 * @says card "GPU-33333333 */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
