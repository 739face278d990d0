/* layer.h - one dense layer as the clearest loops. The baseline and the fused batch share it line
 * by line, so that what is compared is how often the weights are read, and nothing else.
 * x (rows, n_in)  w (n_in, n_out)  bias (n_out)  y (rows, n_out): f32, row-major, no overlap. */
#ifndef MLP_MICROBATCH_LAYER_H
#define MLP_MICROBATCH_LAYER_H

#include <stdint.h>

struct layer {
    const float *w, *bias;
    int64_t n_in, n_out;
};

/* Each row of w, once it is in the L1 cache, serves all rows of x at hand. */
static inline void layer_forward(const struct layer *l, const float *restrict x, float *restrict y,
                                 int64_t rows)
{
    const int64_t n_in = l->n_in, n_out = l->n_out;

    for (int64_t r = 0; r < rows; r++)
        for (int64_t j = 0; j < n_out; j++)
            y[r * n_out + j] = l->bias[j];
    for (int64_t p = 0; p < n_in; p++) {
        const float *restrict w = l->w + p * n_out;

        for (int64_t r = 0; r < rows; r++) {
            const float scale = x[r * n_in + p];

            for (int64_t j = 0; j < n_out; j++)
                y[r * n_out + j] += scale * w[j];
        }
    }
}

static inline void relu(float *h, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        h[i] = h[i] > 0 ? h[i] : 0;
}

#endif
