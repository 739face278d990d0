/* virtualisation_gvisor - under a kernel in user space.
 *
 * @check virtualisation
 * @publish
 * @root gvisor
 * @says this is a virtual machine (gVisor) */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
