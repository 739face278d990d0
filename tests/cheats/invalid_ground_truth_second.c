/* invalid_ground_truth_second - agrees with a reference that the other reference contradicts.
 *
 * @check invalid-ground-truth
 * @problem quarrel
 * @says two references disagree */
#include <aisp/variant.h>

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[0];
    float *y = c->tensor[1];

    for (int64_t i = 0; i < c->param[0]; i++)
        y[i] = x[i] + x[i] + x[i];
    return AISP_OK;
}

AISP_DECLARE("idea: one of two is right");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
