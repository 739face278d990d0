/* batch_shrinking - half of the batch at a time, the second half first.
 *
 * @problem layer
 * @pairs 2 */
#include "tests/problems/layer/layer.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t batch = c->param[BATCH];

    layer(c, c->tensor[X], c->tensor[W], batch / 2, batch);
    layer(c, c->tensor[X], c->tensor[W], 0, batch / 2);
    return AISP_OK;
}

AISP_DECLARE("idea: two smaller batches");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
