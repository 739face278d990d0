/* dynamic_precision - a stack of residual layers for one vector, h' = h + gain[l] W[l] f(h) with f(h) = h / (1 + |h|), where
 * the gains, 2^-8 to 2^-1, come with the call: what a router, a gate or an adapter decides for each token.
 * Why it is interesting: the result may be off by 2^-10 of its size, the same for every variant, and how much of that a
 * layer uses up is known before it is computed: the error of its weights times its gain. A short weight is too coarse for a
 * layer that counts and is good enough for one that does not, but which is which changes from call to call. No layer can be
 * left out: even the smallest gain moves the result by as much as the tolerance.
 * Precision is the lesson here, so it is what the rungs change; the tolerance is the error budget that they share out. */
#include <math.h>
#include <stdlib.h>

#include <aisp/problem.h>

#include "problem.h"

static void layer(const float *w, double gain, double *h, double *f, int64_t width)
{
    for (int64_t i = 0; i < width; i++)
        f[i] = h[i] / (1 + fabs(h[i]));
    for (int64_t i = 0; i < width; i++) {
        double sum = 0;

        for (int64_t j = 0; j < width; j++)
            sum += (double)w[i * width + j] * f[j];
        h[i] += gain * sum;
    }
}

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t width = in->param[WIDTH];
    const float *w = in->tensor[W], *gain = in->tensor[GAIN], *x = in->tensor[X];
    double *h = malloc(2 * (size_t)width * sizeof *h), *y = to;

    (void)out;
    (void)first; /* there is one row */
    if (!h)
        abort();
    for (int64_t i = 0; i < width; i++)
        h[i] = (double)x[i];
    for (int64_t l = 0; l < in->param[LAYERS]; l++)
        layer(w + l * width * width, (double)gain[l], h, h + width, width);
    for (int64_t i = 0; i < n * width; i++)
        y[i] = h[i];
    free(h);
}

static const struct aisp_param params[] = {
    { "layers", 12, 5, 0, 10, 14, 1 },
    { "width", 512, 67, 0, 500, 530, 1 },
    { 0 },
};

/* Weights of deviation 1/22 make a layer's product about as large as what goes into it. The result is one row, so that an
 * element is measured by the size of all. */
static const struct aisp_tensor tensors[] = {
    { "w", AISP_WEIGHT, AISP_F32, "layers, width, width", { AISP_NORMAL, 0, 0.044 } },
    { "gain", AISP_IN, AISP_F32, "layers", { AISP_WIDE, -8, -1 } },
    { "x", AISP_IN, AISP_F32, "width", { AISP_NORMAL, 0, 1 } },
    { "y", AISP_OUT, AISP_F32, "1, width", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Residual layers within an error budget",
    .teaches = "adaptive engines: precision layer by layer, chosen at run time by what an error costs",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "layers*width*width + 8*width + 4*layers",
    .flops = "~2*layers*width*width",
    .tolerance = { .ulps = 16384,
                   .why = "an error budget of 2^-10 of an element or of their rms, the lesson of this target; f32 needs a "
                          "thousandth of it, and 16384 u are just that" },
    .reference = reference,
};
