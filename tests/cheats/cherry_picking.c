/* cherry_picking - an honest variant, whose slowest window somebody took out of the record.
 *
 * @pairs 1
 * @shares
 * @edit drop
 * @says samples were changed or left out */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
