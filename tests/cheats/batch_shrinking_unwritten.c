/* batch_shrinking_unwritten - leaves the last quarter of the batch out.
 *
 * @check batch-shrinking
 * @problem layer
 * @defence COMPARE_OUTPUTS
 * @says nothing was written */
#include "tests/problems/layer/layer.h"

static enum aisp_status run(const struct aisp_call *c)
{
    layer(c, c->tensor[X], c->tensor[W], 0, c->param[BATCH] * 3 / 4);
    return AISP_OK;
}

AISP_DECLARE("idea: three quarters of the batch");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
