/* container_limits_v1 - in a container of the older kind that is throttled meanwhile.
 *
 * @check container-limits
 * @publish
 * @root quota-v1
 * @says throttled for 900000 us */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
