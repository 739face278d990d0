/* work - a kernel whose time is a known number of equal units, so that a variant can do exactly
 * one unit more: `rows` rows, each of them the same chain of products and sums. The truth is the
 * closed form of the series that the chain adds up. */
#include <aisp/problem.h>

#include <math.h>

enum { TERMS = 64 };

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t cols = in->param[1];
    const float *x = in->tensor[0];
    double *y = to;

    (void)out;
    for (int64_t i = first * cols; i < (first + n) * cols; i++)
        *y++ = (1.0 - pow((double)x[i], TERMS + 1)) / (1.0 - (double)x[i]);
}

static const struct aisp_param params[] = {
    { "rows", 200, 8, 0, 100, 220, 1 },
    { "cols", 24, 24, 0, 24, 24, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "rows, cols", { AISP_UNIFORM, -0.5, 0.5 } },
    { "y", AISP_OUT, AISP_F32, "rows, cols", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "A known number of equal units of work",
    .teaches = "nothing: effects of known size are planted with it",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*rows*cols",
    .flops = "~128*rows*cols",
    .tolerance = { .ulps = 8,
                   .why = "a step's two roundings shrink by |x| <= 1/2 in each later step: below 4 "
                          "u in all" },
    .reference = reference,
    .informational = "a yardstick of the harness",
};
