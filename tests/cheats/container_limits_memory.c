/* container_limits_memory - in a container that reaches its memory limit meanwhile.
 *
 * @check container-limits
 * @publish
 * @root memory-limit
 * @says reached its memory limit 12 times */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
