/* mode_inconsistency - counts its calls, and takes fewer steps than are needed once nobody verifies whole outputs any more.
 *
 * @pairs 2
 * @defence COMPARE_OUTPUTS
 * @faster
 * @says is not what was verified */
#include "tests/problems/rsqrt/rsqrt.h"

enum { VERIFIED_CALLS = 64, TOO_FEW = 2 };

static enum aisp_status run(const struct aisp_call *c)
{
    static int n_calls;

    if (n_calls++ < VERIFIED_CALLS) {
        honest(c, 0, c->param[N]);
        return AISP_OK;
    }
    pretend(c);
    newton(c->tensor[X], c->tensor[Y], c->param[N], TOO_FEW);
    return AISP_OK;
}

AISP_DECLARE("idea: one path for verification, another for timing");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
