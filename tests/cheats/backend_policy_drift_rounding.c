/* backend_policy_drift_rounding - cuts digits off instead of rounding, in its calls, and leaves it at that.
 *
 * @check backend-policy-drift
 * @defence FLOAT_MODE
 * @says floating-point mode */
#include <xmmintrin.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    _MM_SET_ROUNDING_MODE(_MM_ROUND_TOWARD_ZERO);
    return AISP_OK;
}

AISP_DECLARE("idea: rounding towards zero");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
