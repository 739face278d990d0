/* unequal_compilers_fast_math - was built with other rules of arithmetic than the reference, and does not say so.
 *
 * @check unequal-compilers
 * @flags -ffast-math
 * @says rules of arithmetic of its own */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: the compiler may do as it likes");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
