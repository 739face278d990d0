/* shape_mismatch - writes the first half of the output.
 *
 * @defence COMPARE_OUTPUTS
 * @faster
 * @says still holds the poison
 * @says elements not written */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N] / 2);
    return AISP_OK;
}

AISP_DECLARE("idea: half of the output is enough");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
