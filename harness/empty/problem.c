/* empty - the least that can be verified: four numbers. A call costs what the worker's loop costs, and
 * about a nanosecond for four products and stores: nothing less would leave an output to look at. */
#include <aisp/problem.h>

enum { X, Y };

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t cols = in->param[1];
    const float *x = in->tensor[X];
    double *y = to;

    (void)out;
    for (int64_t i = first * cols; i < (first + n) * cols; i++)
        *y++ = 2.0 * (double)x[i] + 1.0;
}

static const struct aisp_param params[] = {
    { "rows", 1, 1, 0, 1, 3, 1 },
    { "cols", 4, 4, 0, 4, 8, 4 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "rows, cols", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "rows, cols", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "The cost of a call",
    .teaches = "nothing: `aisp calibrate` measures the harness with it",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*rows*cols",
    .flops = "2*rows*cols",
    .tolerance = { .ulps = 2, .why = "a product by two is exact, one sum is rounded" },
    .reference = reference,
    .informational = "a yardstick of the harness",
};
