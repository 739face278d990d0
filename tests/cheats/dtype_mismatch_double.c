/* dtype_mismatch_double - writes doubles, as far as the buffer goes.
 *
 * @check dtype-mismatch
 * @problem layer
 * @defence COMPARE_OUTPUTS
 * @says right answer as f64 */
#include "tests/problems/layer/layer.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[X], *w = c->tensor[W];
    const int64_t in = c->param[IN], out = c->param[OUT], n = c->param[BATCH] * out / 2;
    double *y = c->tensor[Y];

    for (int64_t i = 0; i < n; i++)
        y[i] = (double)dot(x + i / out * in, w + i % out * in, in);
    return AISP_OK;
}

AISP_DECLARE("idea: more digits than were asked for");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
