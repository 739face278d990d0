/* sparsity_mismatch_half - prunes the smaller half of all weights in setup.
 *
 * @check sparsity-mismatch
 * @problem layer
 * @defence COMPARE_OUTPUTS
 * @says the smallest 50 % zero instead of w */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/problems/layer/layer.h"

static float pruned[1 << 16], size[1 << 16];

static int by_size(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    const float *from = s->weight[0];
    const int64_t n = s->param[IN] * s->param[OUT];

    for (int64_t i = 0; i < n; i++)
        size[i] = fabsf(from[i]);
    qsort(size, (size_t)n, sizeof *size, by_size);
    for (int64_t i = 0; i < n; i++)
        pruned[i] = fabsf(from[i]) < size[n / 2] ? 0 : from[i];
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    layer(c, c->tensor[X], pruned, 0, c->param[BATCH]);
    return AISP_OK;
}

AISP_DECLARE("idea: the larger half of the weights");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
