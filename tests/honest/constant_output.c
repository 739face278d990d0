/* constant_output - one value everywhere, which is the right one.
 *
 * @problem sign
 * @pairs 2 */
#include <aisp/variant.h>

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[0];
    float *y = c->tensor[1];

    for (int64_t i = 0; i < c->param[0]; i++)
        y[i] = x[i] > 0 ? 1.0f : x[i] < 0 ? -1.0f : 0.0f;
    return AISP_OK;
}

AISP_DECLARE("idea: two comparisons");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
