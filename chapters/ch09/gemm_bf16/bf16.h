/* bf16.h - between bf16 and f32 on a CPU: bf16 is the upper half of an f32. */
#ifndef GEMM_BF16_BF16_H
#define GEMM_BF16_BF16_H

#include <stdint.h>
#include <string.h>

static inline float bf16_to_f32(uint16_t bits)
{
    const uint32_t wide = (uint32_t)bits << 16;
    float value;

    memcpy(&value, &wide, sizeof value);
    return value;
}

/* To nearest, ties to even. A NaN keeps a bit of its fraction, which the addition would else carry away. */
static inline uint16_t bf16_from_f32(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    if (value != value)
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

#endif
