/* denormals - sets the mode in its call as well, to the one that keeps them.
 *
 * @problem faint
 * @pairs 2 */
#include <xmmintrin.h>

#include <aisp/variant.h>

enum { FLUSH = 0x8040 };   /* FTZ and DAZ of MXCSR */

static enum aisp_status run(const struct aisp_call *c)
{
    const unsigned mode = _mm_getcsr();
    const float *x = c->tensor[0];
    float *y = c->tensor[1];

    _mm_setcsr(mode & ~(unsigned)FLUSH);
    for (int64_t i = 0; i < c->param[0]; i++)
        y[i] = 0.75f * x[i];
    _mm_setcsr(mode);
    return AISP_OK;
}

AISP_DECLARE("idea: small numbers as they are");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
