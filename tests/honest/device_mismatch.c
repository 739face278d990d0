/* device_mismatch - a card asked for by its UUID, which it has.
 *
 * @pairs 1
 * @shares
 * @nvml steady
 * @card GPU-11111111-0000-0000-0000-000000000000 */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
