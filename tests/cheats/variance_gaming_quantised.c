/* variance_gaming_quantised - an honest variant, whose times somebody rounded in the record.
 *
 * @check variance-gaming
 * @pairs 2
 * @shares
 * @edit quantise
 * @says times were rounded */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
