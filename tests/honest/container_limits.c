/* container_limits - in a container without a quota that was throttled once, long ago; published.
 *
 * @publish
 * @root container */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
