/* problem.c - y[i] = FACTOR x[i], exact: targets of the screen's tests, one for each set of TITLE, FACTOR and GOAL (CMakeLists.txt). */
#include <aisp/problem.h>

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = in->tensor[0];
    double *y = to;

    (void)out;
    for (int64_t i = 0; i < n; i++)
        y[i] = FACTOR * (double)x[first + i];
}

static const struct aisp_param params[] = { { "n", 20000, 3000, 0, 15000, 25000, 1 }, { 0 } };
static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "n", { AISP_NORMAL, 0, 1 } }, { "y", AISP_OUT, AISP_F32, "n" }, { 0 }
};

AISP_PROBLEM = {
    .abi = AISP_ABI, .title = TITLE, .teaches = "nothing: for tests", .goal = GOAL, .param = params, .tensor = tensors,
    .bytes = "8*n", .flops = "n", .tolerance = { .ulps = 0, .why = "a power of two is exact" }, .reference = reference,
};
