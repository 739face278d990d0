/* copies.h - the short forms of the weights, made once. */
#ifndef DYNAMIC_PRECISION_COPIES_H
#define DYNAMIC_PRECISION_COPIES_H

#include "layers.h"

/* The scale that takes the largest of n weights to `most`. */
static float scale_for(const float *w, int64_t n, float most)
{
    float largest = 0;

    for (int64_t j = 0; j < n; j++)
        largest = fmaxf(largest, fabsf(w[j]));
    return largest / most;
}

static void shorten_row(struct copies *c, const float *w, int64_t row, int64_t width)
{
    int16_t *w16 = c->w16 + row * c->padded;
    float *scale8 = c->scale8 + row * c->padded / GROUP;
    const float scale16 = c->scale16[row] = scale_for(w, width, 32767);

    for (int64_t j = 0; j < width; j++)
        w16[j] = (int16_t)lrintf(scale16 > 0 ? w[j] / scale16 : 0);
    for (int64_t j = 0; c->w8 && j < width; j++) {
        float *scale = scale8 + j / GROUP;

        if (j % GROUP == 0)
            *scale = scale_for(w + j, j + GROUP < width ? GROUP : width - j, 127);
        c->w8[row * c->padded + j] = (int8_t)lrintf(*scale > 0 ? w[j] / *scale : 0);
    }
}

static void copies_teardown(void *state)
{
    struct copies *c = state;

    if (!c)
        return;
    free(c->scale16);
    free(c->scale8);
    free(c->w16);
    free(c->w8);
    free(c);
}

static enum aisp_status copies_setup(const struct aisp_setup *s, int with_8)
{
    const int64_t width = s->param[WIDTH], rows = s->param[LAYERS] * width;
    const size_t n = (size_t)(rows * padded(width));
    struct copies *c = calloc(1, sizeof *c);

    *s->state = c;
    if (!c)
        return AISP_E_NO_MEMORY;
    c->padded = padded(width);
    c->fast = has_avx2();
    c->scale16 = calloc((size_t)rows, sizeof *c->scale16);
    c->w16 = calloc(n, sizeof *c->w16);
    c->scale8 = with_8 ? calloc(n / GROUP, sizeof *c->scale8) : NULL;
    c->w8 = with_8 ? calloc(n, sizeof *c->w8) : NULL;
    if (!c->scale16 || !c->w16 || (with_8 && (!c->scale8 || !c->w8))) {
        copies_teardown(c);
        *s->state = NULL;
        return AISP_E_NO_MEMORY;
    }
    for (int64_t row = 0; row < rows; row++)
        shorten_row(c, (const float *)s->weight[0] + row * width, row, width);
    return AISP_OK;
}

#endif
