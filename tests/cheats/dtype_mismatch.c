/* dtype_mismatch - writes bf16 into a buffer that is declared f32.
 *
 * @problem layer
 * @defence COMPARE_OUTPUTS
 * @says right answer as bf16 */
#include <string.h>

#include "tests/problems/layer/layer.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[X], *w = c->tensor[W];
    const int64_t in = c->param[IN], out = c->param[OUT];
    uint16_t *y = c->tensor[Y];

    for (int64_t b = 0; b < c->param[BATCH]; b++)
        for (int64_t o = 0; o < out; o++) {
            const float sum = dot(x + b * in, w + o * in, in);
            uint32_t bits;

            memcpy(&bits, &sum, sizeof bits);
            *y++ = (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
        }
    return AISP_OK;
}

AISP_DECLARE("idea: half of the bytes");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
