/* optimized_branchless - range reduction and a polynomial in plain C without a branch, so that the compiler can use all lanes.
 * Expected: about 45 instructions for four elements with the four lanes that any x86-64 has, instead of a call with some 25 for
 * each: 1.5 to 2x. Without fused operations and without one for rounding, half of them only make up for that.
 * Costs: up to 1.01 ulp, where expf has 0.5; two passes more over a block of 2 KiB for the limits. */
#include <aisp/variant.h>

#include "coefficients.h"
#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const float *restrict x = call->tensor[X];
    float *restrict y = call->tensor[Y];
    const int64_t n = call->param[N];

    exp_portable(x, y, n);
    return AISP_OK;
}

AISP_DECLARE("idea: a polynomial without branches, which the compiler spreads over four lanes\n"
             "expect: instructions / 2");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
