/* timer_granularity_calls - an honest variant, whose windows are said to have had twice the calls.
 *
 * @check timer-granularity
 * @pairs 1
 * @shares
 * @edit calls
 * @says calls for baseline and */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
