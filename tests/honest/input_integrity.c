/* input_integrity - overwrites what it is given, where that is what it is asked for.
 *
 * @problem inplace
 * @pairs 2 */
#include <aisp/variant.h>

static enum aisp_status run(const struct aisp_call *c)
{
    float *z = c->tensor[0];

    for (int64_t i = c->param[0] - 1; i >= 0; i--)
        z[i] = z[i] + z[i] + 1.0f;
    return AISP_OK;
}

AISP_DECLARE("idea: backwards, with a sum for the product");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
