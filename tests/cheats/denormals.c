/* denormals - flushes subnormals to zero inside its call, and puts the mode back so that nobody sees it.
 *
 * @problem faint
 * @defence PLANTED_CONTENTS
 * @needs COMPARE_OUTPUTS
 * @says taken for zero */
#include <xmmintrin.h>

#include <aisp/variant.h>

enum { FLUSH = 0x8040 };   /* FTZ and DAZ of MXCSR */

static enum aisp_status run(const struct aisp_call *c)
{
    const unsigned mode = _mm_getcsr();
    const float *x = c->tensor[0];
    float *y = c->tensor[1];

    _mm_setcsr(mode | FLUSH);
    for (int64_t i = 0; i < c->param[0]; i++)
        y[i] = 0.75f * x[i];
    _mm_setcsr(mode);
    return AISP_OK;
}

AISP_DECLARE("idea: small numbers are slow");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
