/* precision_mismatch_map - computes in bf16 what is asked for in f32.
 *
 * @check precision-mismatch
 * @defence COMPARE_OUTPUTS
 * @says numbers of that type in bf16 */
#include <string.h>

#include "tests/problems/rsqrt/rsqrt.h"

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

    honest(c, 0, c->param[N]);
    for (int64_t i = 0; i < c->param[N]; i++)
        y[i] = to_bf16(y[i]);
    return AISP_OK;
}

AISP_DECLARE("idea: half of the bits");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
