/* scalar.h - the two short floats one at a time, and a row in plain C. */
#ifndef FP4_WEIGHTS_SCALAR_H
#define FP4_WEIGHTS_SCALAR_H

#include <stdint.h>
#include <string.h>

#include "problem.h"

static const float fp4_value[16] = { 0,  0.5f,  1,  1.5f,  2,  3,  4,  6,
                                     -0.f, -0.5f, -1, -1.5f, -2, -3, -4, -6 };

/* The bits of an f32 that are its exponent's lowest four and its fraction's highest three, which is 2^120 too small. */
static inline float scale_of(uint8_t e4m3)
{
    const uint32_t bits = (uint32_t)(e4m3 & 127) << 20 | (uint32_t)(e4m3 & 128) << 24;
    float value;

    memcpy(&value, &bits, sizeof value);
    return 0x1p120f * value;
}

static inline float row_portable(const uint8_t *w, const uint8_t *scale, const float *x, int64_t cols)
{
    float y = 0;

    for (int64_t c = 0; c < cols; c += BLOCK) {
        float even = 0, odd = 0;

        for (int64_t i = 0; i < BLOCK; i += 2) {
            const uint8_t byte = w[(c + i) / 2];

            even += fp4_value[byte & 15] * x[c + i];
            odd += fp4_value[byte >> 4] * x[c + i + 1];
        }
        y += scale_of(scale[c / BLOCK]) * (even + odd);
    }
    return y;
}

#endif
