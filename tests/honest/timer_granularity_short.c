/* timer_granularity_short - calls of a microsecond or two: their ratio is found, by many calls a window.
 *
 * @check timer-granularity
 * @pairs 4
 * @calibration step 40
 * @ratio 1.5 2.6 */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    newton(c->tensor[X], c->tensor[Y], c->param[N], c->param[STEPS] / 2);
    return AISP_OK;
}

AISP_DECLARE("idea: half of the steps are enough");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
