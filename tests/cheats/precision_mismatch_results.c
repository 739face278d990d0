/* precision_mismatch_results - computes well and keeps bf16 of it.
 *
 * @check precision-mismatch
 * @problem layer
 * @defence COMPARE_OUTPUTS
 * @says all results are numbers of that type in bf16 */
#include <string.h>

#include "tests/problems/layer/layer.h"

/* Rounded to bf16, nearest even. */
static float to_bf16(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000;
    memcpy(&value, &bits, sizeof bits);
    return value;
}

static enum aisp_status run(const struct aisp_call *c)
{
    float *y = c->tensor[Y];

    layer(c, c->tensor[X], c->tensor[W], 0, c->param[BATCH]);
    for (int64_t i = 0; i < c->param[BATCH] * c->param[OUT]; i++)
        y[i] = to_bf16(y[i]);
    return AISP_OK;
}

AISP_DECLARE("idea: results of sixteen bits");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
