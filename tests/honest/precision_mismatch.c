/* precision_mismatch - uses bf16 too, three of them for each number, which together hold all of its bits.
 *
 * @problem layer
 * @pairs 2 */
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

/* The sum of three products of parts, the small ones first. */
static float product(float a, float b)
{
    const float a1 = to_bf16(a), a2 = to_bf16(a - a1), a3 = a - a1 - a2;

    return a3 * b + a2 * b + a1 * b;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[X], *w = c->tensor[W];
    const int64_t in = c->param[IN], out = c->param[OUT];
    float *y = c->tensor[Y];

    for (int64_t b = 0; b < c->param[BATCH]; b++)
        for (int64_t o = 0; o < out; o++) {
            float sum = 0;

            for (int64_t i = 0; i < in; i++)
                sum += product(x[b * in + i], w[o * in + i]);
            y[b * out + o] = sum;
        }
    return AISP_OK;
}

AISP_DECLARE("idea: f32 from parts of sixteen bits");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
