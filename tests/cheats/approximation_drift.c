/* approximation_drift - takes half of the steps, and for one element in a thousand too few: there
 * it is off by less than a percent.
 *
 * @defence COMPARE_OUTPUTS
 * @faster
 * @says value outside tolerance */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[X];
    float *y = c->tensor[Y];
    const int64_t n = c->param[N];

    newton(x, y, n, c->param[STEPS] > 16 ? c->param[STEPS] / 2 : c->param[STEPS]);
    for (int64_t i = (int64_t)(x[0] * 997) % 100; i < n; i += 1000)
        y[i] *= 1.004f;
    return AISP_OK;
}

AISP_DECLARE("idea: good enough nearly everywhere");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
