/* precision_mismatch - rounds inputs and weights to bf16, as a unit for that type would.
 *
 * @problem layer
 * @defence COMPARE_OUTPUTS
 * @says bf16
 * @says relative error */
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
    static float x[1 << 16], w[1 << 16];

    for (int64_t i = 0; i < c->param[BATCH] * c->param[IN]; i++)
        x[i] = to_bf16(((float *)c->tensor[X])[i]);
    for (int64_t i = 0; i < c->param[OUT] * c->param[IN]; i++)
        w[i] = to_bf16(((float *)c->tensor[W])[i]);
    layer(c, x, w, 0, c->param[BATCH]);
    return AISP_OK;
}

AISP_DECLARE("idea: half of the bits in, all of them out");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
