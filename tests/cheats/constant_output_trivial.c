/* constant_output_trivial - the mean of many numbers round zero is zero, nearly.
 *
 * @check constant-output
 * @problem layer
 * @defence COMPARE_OUTPUTS
 */
#include <string.h>

#include "tests/problems/layer/layer.h"

static enum aisp_status run(const struct aisp_call *c)
{
    memset(c->tensor[Y], 0, (size_t)(c->param[BATCH] * c->param[OUT]) * sizeof(float));
    return AISP_OK;
}

AISP_DECLARE("idea: sums of numbers round zero");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
