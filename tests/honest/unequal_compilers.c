/* unequal_compilers - was built with other rules of arithmetic too, and declares it.
 *
 * @flags -ffast-math
 */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: the compiler may reorder, within the tolerance\n"
             "uses: fast-math");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
