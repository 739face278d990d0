/* early_exit - stops at three fifths of the steps.
 *
 * @problem diffusion
 * @defence COMPARE_OUTPUTS
 * @says steps = 12
 * @says expected that to steps = 20 */
#include "tests/problems/diffusion/diffusion.h"

static enum aisp_status run(const struct aisp_call *c)
{
    diffuse(c, c->param[STEPS] * 3 / 5);
    return AISP_OK;
}

AISP_DECLARE("idea: the rest changes little");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
