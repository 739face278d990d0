/* mlp_microbatch - y = relu(x w1 + bias1) w2 + bias2 for several micro-batches of a few rows.
 * At a few rows a layer is bound by reading its weights: goodput is rows per reading. The weights
 * (12 MiB) are larger than L2; a micro-batch that is computed alone reads all of them again. */
#include <stdlib.h>

#include <aisp/problem.h>

#include "problem.h"

static void layer(const float *w, const float *bias, const double *x, double *y, int64_t n_in,
                  int64_t n_out)
{
    for (int64_t j = 0; j < n_out; j++)
        y[j] = bias[j];
    for (int64_t p = 0; p < n_in; p++)
        for (int64_t j = 0; j < n_out; j++)
            y[j] += x[p] * (double)w[p * n_out + j];
}

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t width = in->param[WIDTH], hidden = in->param[HIDDEN];
    const float *x = in->tensor[X];
    double *scratch = malloc((size_t)(width + hidden) * sizeof *scratch);
    double *h = scratch, *row = scratch + hidden;

    (void)out;
    if (!scratch)
        abort();
    for (int64_t r = 0; r < n; r++) {
        for (int64_t p = 0; p < width; p++)
            row[p] = x[(first + r) * width + p];
        layer(in->tensor[W1], in->tensor[BIAS1], row, h, width, hidden);
        for (int64_t j = 0; j < hidden; j++)
            h[j] = h[j] > 0 ? h[j] : 0;
        layer(in->tensor[W2], in->tensor[BIAS2], h, (double *)to + r * width, hidden, width);
    }
    free(scratch);
}

static const struct aisp_param params[] = {
    { "micro", 8, 3, 0, 7, 9, 1 },
    { "rows", 2, 3, 0, 1, 2, 1 },
    { "width", 768, 37, 0, 700, 850, 1 },
    { "hidden", 2048, 51, 0, 1900, 2200, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "micro*rows, width", { AISP_UNIFORM, -1, 1 } },
    { "w1", AISP_WEIGHT, AISP_F32, "width, hidden", { AISP_UNIFORM, -1, 1 } },
    { "bias1", AISP_WEIGHT, AISP_F32, "hidden", { AISP_UNIFORM, -1, 1 } },
    { "w2", AISP_WEIGHT, AISP_F32, "hidden, width", { AISP_UNIFORM, -1, 1 } },
    { "bias2", AISP_WEIGHT, AISP_F32, "width", { AISP_UNIFORM, -1, 1 } },
    { "y", AISP_OUT, AISP_F32, "micro*rows, width", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "A small MLP over micro-batches",
    .teaches = "performance basics: goodput; reuse of weights by one fused batch",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*(2*width*hidden + hidden + width + 2*micro*rows*width)",
    .flops = "~4*micro*rows*width*hidden",
    .tolerance = { .ulps = 4,
                   .length = "width + hidden + 2",
                   .why = "two sums in a row, of width and of hidden products; errors of either "
                          "sign grow as the root of the length (Higham and Mary 2019); relu does "
                          "not amplify them" },
    .reference = reference,
};
