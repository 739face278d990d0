/* caching_allocator - some training steps of a chain of layers, forward and backward, with batches of a different length
 * each:
 *   z = w h + b, a = z / (1 + |z|), h' = h + a   for each layer, element by element (w and b have `width` numbers a layer)
 * and then, from a given gradient of the last h, the gradient of every w: the sum over the batch of da/dz g h.
 * Why it is interesting: what is computed is light, and every layer needs memory for what the way back will ask for. All
 * tensors of a step die before the next begins, which needs nearly the same again, but not quite: lengths differ. Who asks
 * the system each time gets pages that must be made and zeroed first; who keeps what was freed must decide when a piece
 * that is too large is good enough. */
#include <math.h>
#include <stdlib.h>

#include <aisp/problem.h>

#include "problem.h"

/* Adds the gradients that one element of the input, in column j, gives to each layer's w[j]. h and a have room for all
 * layers. */
static void through(const struct aisp_view *in, int64_t at, int64_t j, double *h, double *dw)
{
    const int64_t layers = in->param[LAYERS], width = in->param[WIDTH];
    const float *w = in->tensor[WEIGHT], *b = in->tensor[BIAS];
    double *slope = h + layers + 1, g = ((const float *)in->tensor[GRAD])[at];

    h[0] = ((const float *)in->tensor[X])[at];
    for (int64_t l = 0; l < layers; l++) {
        const double z = (double)w[l * width + j] * h[l] + (double)b[l * width + j], one = 1 + fabs(z);

        slope[l] = 1 / (one * one);
        h[l + 1] = h[l] + z / one;
    }
    for (int64_t l = layers - 1; l >= 0; l--) {
        dw[l * width + j] += slope[l] * g * h[l];
        g += slope[l] * g * (double)w[l * width + j];
    }
}

/* A row is a step. */
static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t layers = in->param[LAYERS], width = in->param[WIDTH], most = in->param[MOST];
    const int32_t *length = in->tensor[LENGTH];
    double *h = malloc((size_t)(2 * layers + 1) * sizeof *h), *dw = to;

    (void)out;
    if (!h)
        abort();
    for (int64_t s = first; s < first + n; s++, dw += layers * width) {
        for (int64_t i = 0; i < layers * width; i++)
            dw[i] = 0;
        for (int64_t i = 0; i < length[s] && i < most; i++)
            for (int64_t j = 0; j < width; j++)
                through(in, (s * most + i) * width + j, j, h, dw);
    }
    free(h);
}

static const struct aisp_param params[] = {
    { "steps", 6, 3, 0, 6, 7, 1 },
    { "most", 512, 512, 0, 512, 530, 1 },
    { "layers", 8, 3, 0, 7, 9, 1 },
    { "width", 96, 11, 0, 90, 102, 1 },
    { 0 },
};

/* A step has room for 64 layers, but the errors of more than 24 are larger than the tolerance knows. */
static const struct aisp_tensor tensors[] = {
    { "length", AISP_IN, AISP_I32, "steps", { AISP_INTEGERS, 128, 513 } },
    { "x", AISP_IN, AISP_F32, "steps*most, width", { AISP_NORMAL, 0, 1 } },
    { "grad", AISP_IN, AISP_F32, "steps*most, width", { AISP_NORMAL, 0.5, 1 } },
    { "w", AISP_WEIGHT, AISP_F32, "most(layers, 24), width", { AISP_UNIFORM, -1, 1 } },
    { "b", AISP_WEIGHT, AISP_F32, "layers, width", { AISP_UNIFORM, -1, 1 } },
    { "dw", AISP_OUT, AISP_F32, "steps, layers*width", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Memory for training steps of changing length",
    .teaches = "memory of a training step: a system allocator each time, size classes, splitting and merging, a plan",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*steps + 8*layers*width + 4*steps*layers*width",
    .flops = "0",
    .tolerance = { .ulps = 8,
                   .length = "most + 8*layers",
                   .why = "a sum of at most `most` products; each factor has gone through at most `layers` layers of four "
                          "roundings forward and four backward, none of which is amplified; roundings of either sign grow "
                          "as the root of their number (Higham and Mary 2019), and 4 deviations are allowed" },
    .reference = reference,
};
