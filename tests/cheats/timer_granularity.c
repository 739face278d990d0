/* timer_granularity - an honest variant, timed by a clock that steps by 4 ms.
 *
 * @pairs 2
 * @calibration step 4000000
 * @says below 1000 steps of the clock */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
