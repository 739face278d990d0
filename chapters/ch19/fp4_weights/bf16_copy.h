/* bf16_copy.h - the checkpoint as bf16, made once: what the baseline and its SIMD form multiply with. */
#ifndef FP4_WEIGHTS_BF16_COPY_H
#define FP4_WEIGHTS_BF16_COPY_H

#include <stdlib.h>
#include <string.h>

#include <aisp/variant.h>

#include "scalar.h"

/* Exact: six bits of fraction at most. */
static inline uint16_t bf16_of(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)(bits >> 16);
}

static inline float float_of_bf16(uint16_t bf16)
{
    const uint32_t bits = (uint32_t)bf16 << 16;
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static enum aisp_status copy_setup(const struct aisp_setup *s)
{
    const uint8_t *w = s->weight[0], *scale = s->weight[1];
    const int64_t n = s->param[ROWS] * s->param[COLS];
    uint16_t *copy = malloc((size_t)n * sizeof *copy);

    if (!copy)
        return AISP_E_NO_MEMORY;
    for (int64_t i = 0; i < n; i += 2) {
        const float times = scale_of(scale[i / BLOCK]);

        copy[i] = bf16_of(fp4_value[w[i / 2] & 15] * times);
        copy[i + 1] = bf16_of(fp4_value[w[i / 2] >> 4] * times);
    }
    *s->state = copy;
    return AISP_OK;
}

static void copy_teardown(void *state)
{
    free(state);
}

#endif
