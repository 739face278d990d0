/* layer.h - y = x w': what the problem and its variants share. x (batch, in), w (out, in), y (batch, out), f32. */
#ifndef TESTS_PROBLEMS_LAYER_H
#define TESTS_PROBLEMS_LAYER_H

#include <aisp/variant.h>

enum { X, W, Y };
enum { BATCH, IN, OUT };

static inline float dot(const float *a, const float *b, int64_t n)
{
    float sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Samples [from, to) of the batch, with these inputs and weights. */
static inline void layer(const struct aisp_call *c, const float *x, const float *w, int64_t from, int64_t to)
{
    const int64_t in = c->param[IN], out = c->param[OUT];
    float *y = c->tensor[Y];

    for (int64_t b = from; b < to; b++)
        for (int64_t o = 0; o < out; o++)
            y[b * out + o] = dot(x + b * in, w + o * in, in);
}

#endif
