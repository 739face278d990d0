/* clock_drift_stepped - an honest variant, while somebody sets the wall clock back by an hour.
 *
 * @check clock-drift
 * @pairs 4
 * @edit stepped
 * @ratio 0.7 1.4 */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
