/* virtualisation_unnamed - a virtual machine of which only the processor says so.
 *
 * @check virtualisation
 * @publish
 * @root unnamed
 * @says this is a virtual machine */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
