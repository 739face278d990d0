/* activation_checkpointing - a training step of a residual network, forward and backward, for a batch of samples:
 *   z = h W, a = z / (1 + |z|), next h = h + a   for each layer, W (width, width)
 * y is the last h; from a given gradient of y come the gradient dx of the input and, summed over the batch, the gradient dw
 * of every W. What is compared is memory: the most that a variant ever had, for code, workspace and all it allocates.
 * Inputs, weights and the three outputs belong to the harness and are not counted.
 * Why it is interesting: the way back asks for h and a of every layer, in the opposite order to that in which they were
 * made, so that all of them are held at the moment when the way back begins: batch * width * 2 layers numbers, beside which
 * everything else is small. What is held need not be what was made: a layer's h can be made again from any h before it.
 * Time is shown beside memory, and may get worse: that is what is paid. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <aisp/problem.h>

#include "problem.h"

/* h and a of one sample through all layers, each (layers + 1, width). */
static void forward(const struct aisp_view *in, int64_t sample, double *h, double *a)
{
    const int64_t layers = in->param[LAYERS], width = in->param[WIDTH];
    const float *w = in->tensor[W], *x = (const float *)in->tensor[X] + sample * width;

    for (int64_t i = 0; i < width; i++)
        h[i] = x[i];
    for (int64_t l = 0; l < layers; l++, w += width * width, h += width, a += width) {
        memset(a, 0, (size_t)width * sizeof *a);
        for (int64_t k = 0; k < width; k++)
            for (int64_t o = 0; o < width; o++)
                a[o] += h[k] * (double)w[k * width + o];
        for (int64_t o = 0; o < width; o++) {
            a[o] /= 1 + fabs(a[o]);
            h[width + o] = h[o] + a[o];
        }
    }
}

/* The gradient g of one sample's y becomes that of its x; what layers [first, first + n) get of it is added to dw. */
static void backward(const struct aisp_view *in, const double *h, double *a, double *g, int64_t first, int64_t n, double *dw)
{
    const int64_t width = in->param[WIDTH];

    for (int64_t l = in->param[LAYERS] - 1; l >= 0; l--) {
        const float *w = (const float *)in->tensor[W] + l * width * width;
        double *to = dw + (l - first) * width * width, *dz = a + l * width;

        for (int64_t o = 0; o < width; o++)
            dz[o] = g[o] * (1 - fabs(dz[o])) * (1 - fabs(dz[o]));
        for (int64_t k = 0; l >= first && l < first + n && k < width; k++)
            for (int64_t o = 0; o < width; o++)
                to[k * width + o] += h[l * width + k] * dz[o];
        for (int64_t k = 0; k < width; k++)
            for (int64_t o = 0; o < width; o++)
                g[k] += (double)w[k * width + o] * dz[o];
    }
}

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t layers = in->param[LAYERS], width = in->param[WIDTH], batch = in->param[BATCH];
    const int64_t begin = out == DW ? 0 : first, end = out == DW ? batch : first + n;
    double *h = malloc((size_t)(2 * layers + 3) * (size_t)width * sizeof *h), *a = h + (layers + 1) * width, *y = to;
    double *g = a + (layers + 1) * width;

    if (!h)
        abort();
    if (out == DW)
        memset(y, 0, (size_t)(n * width * width) * sizeof *y);
    for (int64_t s = begin; s < end; s++) {
        forward(in, s, h, a);
        for (int64_t i = 0; i < width; i++)
            g[i] = ((const float *)in->tensor[GRAD])[s * width + i];
        if (out != Y)
            backward(in, h, a, g, out == DW ? first : layers, out == DW ? n : 0, y);
        if (out != DW)
            memcpy(y + (s - first) * width, out == Y ? h + layers * width : g, (size_t)width * sizeof *y);
    }
    free(h);
}

/* quick: pieces of the batch and segments of the layers that are not whole. */
static const struct aisp_param params[] = {
    { "layers", 36, 18, 0, 30, 42, 1 },
    { "batch", 384, 133, 0, 350, 400, 1, AISP_BATCH },
    { "width", 32, 21, 0, 27, 35, 1 },
    { 0 },
};

/* The errors of more than 64 layers, or of wider ones, are larger than the tolerance knows. */
static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "batch, width", { AISP_NORMAL, 0, 1 } },
    { "grad", AISP_IN, AISP_F32, "batch, width", { AISP_NORMAL, 0.5, 1 } },
    { "w", AISP_WEIGHT, AISP_F32, "most(layers, 64), most(width, 64), width", { AISP_NORMAL, 0, 0.08 } },
    { "y", AISP_OUT, AISP_F32, "batch, width", { AISP_NO_FILL, 0, 0 } },
    { "dx", AISP_OUT, AISP_F32, "batch, width", { AISP_NO_FILL, 0, 0 } },
    { "dw", AISP_OUT, AISP_F32, "layers, width*width", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "A training step in little memory",
    .teaches = "memory of a training step: stored activations, checkpoints with recomputation, recursion, micro-batches",
    .goal = AISP_MEMORY,
    .param = params,
    .tensor = tensors,
    .bytes = "16*batch*width + 8*layers*width*width",
    .flops = "~6*layers*batch*width*width",
    .tolerance = { .ulps = 8,
                   .length = "batch + layers*(width + 8)",
                   .why = "dw is a sum of batch products; each factor has gone through at most `layers` layers, forward or back, "
                          "of a sum of width products and eight more roundings, none of which is amplified much; roundings of "
                          "either sign grow as the root of their number (Higham and Mary 2019), and 4 deviations are allowed" },
    .reference = reference,
};
