/* sparsity_mismatch - prunes two of four weights in setup.
 *
 * @problem layer
 * @defence COMPARE_OUTPUTS
 * @says two of four zero along the rows instead of w */
#include <math.h>
#include <string.h>

#include "tests/problems/layer/layer.h"

static float pruned[1 << 16];

/* Of each four weights the two smaller ones become zero. */
static enum aisp_status setup(const struct aisp_setup *s)
{
    const float *from = s->weight[0];
    const int64_t n = s->param[IN] * s->param[OUT];

    memcpy(pruned, from, (size_t)n * sizeof *from);
    for (int64_t i = 0; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++) {
            int larger = 0;

            for (int j = 0; j < 4; j++)
                larger += fabsf(from[i + j]) > fabsf(from[i + k]);
            if (larger >= 2)
                pruned[i + k] = 0;
        }
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    layer(c, c->tensor[X], pruned, 0, c->param[BATCH]);
    return AISP_OK;
}

AISP_DECLARE("idea: small weights do not count");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
