/* nan - is not a number where the truth is none.
 *
 * @problem special
 * @pairs 2 */
#include <math.h>

#include <aisp/variant.h>

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[0];
    float *y = c->tensor[1];

    for (int64_t i = 0; i < c->param[0]; i++)
        y[i] = x[i] < 0 ? NAN : x[i] > 0 ? logf(x[i]) : -INFINITY;
    return AISP_OK;
}

AISP_DECLARE("idea: no call where the answer is known");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
