/* backend_policy_drift - flushes subnormals inside its call, where there are none, and puts the mode back.
 *
 * @pairs 2 */
#include <xmmintrin.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { FLUSH = 0x8040 };   /* FTZ and DAZ of MXCSR */

static enum aisp_status run(const struct aisp_call *c)
{
    const unsigned mode = _mm_getcsr();

    _mm_setcsr(mode | FLUSH);
    honest(c, 0, c->param[N]);
    _mm_setcsr(mode);
    return AISP_OK;
}

AISP_DECLARE("idea: a mode of its own, for the time of the call");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
