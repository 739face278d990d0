/* confinement - on a host that has all of the cage, and gave another address than was asked for.
 *
 * @publish
 * @root bare-metal
 * @edit elsewhere */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
