/* backend_policy_drift - has subnormals flushed for all of its thread from setup on, and does not say so.
 *
 * @defence FLOAT_MODE
 * @says floating-point mode
 * @says not declared */
#include <xmmintrin.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { FLUSH = 0x8040 };   /* FTZ and DAZ of MXCSR */

static enum aisp_status setup(const struct aisp_setup *s)
{
    (void)s;
    _mm_setcsr(_mm_getcsr() | FLUSH);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: a mode in which small numbers cost nothing");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
