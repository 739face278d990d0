/* add_problem.h - y = x + w over n elements, for tests that run fixtures on a device. */
#ifndef TESTS_UNIT_ADD_PROBLEM_H
#define TESTS_UNIT_ADD_PROBLEM_H

#include <aisp/problem.h>

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = in->tensor[0], *w = in->tensor[1];
    double *y = to;

    (void)out;
    for (int64_t i = first; i < first + n; i++)
        *y++ = (double)x[i] + (double)w[i];
}

static const struct aisp_param params[] = { { "n", 1000, 100, 0, 500, 2000, 1 }, { 0 } };
static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "n", { AISP_NORMAL, 0, 1 } },
    { "w", AISP_WEIGHT, AISP_F32, "n", { AISP_UNIFORM, 1, 2 } },
    { "y", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};
static const struct aisp_problem problem = {
    .abi = AISP_ABI,
    .title = "Add",
    .teaches = "nothing",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "12*n",
    .flops = "n",
    .tolerance = { .ulps = 2, .why = "one sum" },
    .reference = reference,
};

#endif
