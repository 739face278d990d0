/* epilogue_fusion - y = max(0, a w + bias) + residual: a thin product and what a layer does with it afterwards. The product has few
 * terms (an adapter of low rank, say), so that each pass over its result takes about as long as the product itself. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t cols = in->param[COLS], depth = in->param[DEPTH];
    const float *a = in->tensor[A], *w = in->tensor[WEIGHT], *bias = in->tensor[BIAS], *residual = in->tensor[RESIDUAL];
    double *y = to;

    (void)out;
    for (int64_t r = first; r < first + n; r++)
        for (int64_t c = 0; c < cols; c++) {
            double sum = (double)bias[c];

            for (int64_t k = 0; k < depth; k++)
                sum += (double)a[r * depth + k] * (double)w[k * cols + c];
            *y++ = (sum > 0 ? sum : 0) + (double)residual[r * cols + c];
        }
}

static const struct aisp_param params[] = {
    { "rows", 1024, 37, 0, 960, 1100, 1 },
    { "cols", 1024, 45, 0, 960, 1100, 1 },
    { "depth", 8, 5, 0, 7, 9, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "a", AISP_IN, AISP_F32, "rows, depth", { AISP_NORMAL, 0, 1 } },
    { "w", AISP_WEIGHT, AISP_F32, "depth, cols", { AISP_NORMAL, 0, 1 } },
    { "bias", AISP_WEIGHT, AISP_F32, "cols", { AISP_NORMAL, 0, 1 } },
    { "residual", AISP_IN, AISP_F32, "rows, cols", { AISP_NORMAL, 0, 1 } },
    { "y", AISP_OUT, AISP_F32, "rows, cols", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "A thin product, bias, activation and residual",
    .teaches = "compilers: what fusing an epilogue saves, in bytes; what a generated kernel has to do as well",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*rows*cols + 4*rows*depth + 4*depth*cols + 4*cols",
    .flops = "2*rows*cols*depth",
    .tolerance = { .ulps = 8, .length = "depth + 2", .why = "depth products, bias and residual, each rounded once" },
    .reference = reference,
};
