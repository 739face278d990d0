/* moe_dispatch - a mixture of experts: each token goes through the matrix of the expert that a router has chosen for it. Neighbouring
 * tokens have other experts, so whoever takes the tokens as they come takes a matrix out of another place each time; all of
 * them together (2 MiB) do not stay near a core. A token has one expert here; with two it would be two such problems. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t width = in->param[WIDTH];
    const float *x = in->tensor[X], *weights = in->tensor[WEIGHTS];
    const int32_t *expert = in->tensor[EXPERT];
    double *y = to;

    (void)out;
    for (int64_t t = first; t < first + n; t++) {
        const float *w = weights + (int64_t)expert[t] * width * width;

        for (int64_t c = 0; c < width; c++) {
            double sum = 0;

            for (int64_t k = 0; k < width; k++)
                sum += (double)x[t * width + k] * (double)w[k * width + c];
            *y++ = sum;
        }
    }
}

static const struct aisp_param params[] = {
    { "tokens", 512, 19, 0, 470, 560, 1, AISP_BATCH },
    { "experts", 32, 32, 0, 32, 40, 1 },
    { "width", 128, 21, 0, 120, 136, 1 },
    { 0 },
};

/* Tokens ask for any of 32 experts: fewer there cannot be. */
static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "tokens, width", { AISP_NORMAL, 0, 1 } },
    { "expert", AISP_IN, AISP_I32, "tokens + most(32, experts) - 32", { AISP_INTEGERS, 0, 32 } },
    { "weights", AISP_WEIGHT, AISP_F32, "experts, width, width", { AISP_NORMAL, 0, 0.1 } },
    { "y", AISP_OUT, AISP_F32, "tokens, width", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Tokens through the experts that were chosen for them",
    .teaches = "mixture of experts: dispatch token by token against tokens grouped by expert",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*tokens*width + 4*tokens",
    .flops = "2*tokens*width*width",
    .tolerance = { .ulps = 4, .length = "width", .why = "sums of width products (Higham 2002, section 3.5)" },
    .reference = reference,
};

/* Grouping costs the same for few tokens, and only many of them share an expert. */
AISP_SWEEP("tokens=8:512:x2");
