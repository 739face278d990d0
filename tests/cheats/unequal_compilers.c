/* unequal_compilers - a reference that nobody optimised.
 *
 * @side A
 * @flags -O0
 * @pairs 2
 * @faster
 * @says -O0 */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: as it was debugged");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
