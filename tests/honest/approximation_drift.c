/* approximation_drift - other roundings than the baseline's: a root and a quotient.
 *
 * @pairs 2 */
#include <math.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[X];
    float *y = c->tensor[Y];

    for (int64_t i = 0; i < c->param[N]; i++)
        y[i] = 1.0f / sqrtf(x[i]);
    return AISP_OK;
}

AISP_DECLARE("idea: what the machine has an instruction for");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
