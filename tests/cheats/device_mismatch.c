/* device_mismatch - an honest variant on a card that is renamed while it runs.
 *
 * @pairs 1
 * @shares
 * @nvml renamed
 * @says before and "NVIDIA H200" */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
