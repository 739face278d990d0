/* variance_gaming - an honest variant, all of whose windows somebody made equal in the record.
 *
 * @pairs 2
 * @shares
 * @edit same
 * @says windows have exactly the same time */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
