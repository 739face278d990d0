/* shape_mismatch_beside - writes one element before its output.
 *
 * @check shape-mismatch
 * @defence GUARDS
 * @says 4 bytes before y of slot */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    ((volatile float *)c->tensor[Y])[-1] = 1.0f;
    return AISP_OK;
}

AISP_DECLARE("idea: one element more");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
