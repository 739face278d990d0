/* map.h - the declaration of a problem whose truth is a function of each element alone:
 * x (n) in, y (n) out, f32. Before it: static double truth_of(double x), FILL (of x), TITLE. */
#ifndef TESTS_PROBLEMS_MAP_H
#define TESTS_PROBLEMS_MAP_H

#include <aisp/problem.h>

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = in->tensor[0];
    double *y = to;

    (void)out;
    for (int64_t i = first; i < first + n; i++)
        *y++ = truth_of((double)x[i]);
}

static const struct aisp_param params[] = {
    { "n", 2048, 256, 0, 64, 2048, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "n", FILL },
    { "y", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = TITLE,
    .teaches = "nothing: the proofs of the protections use it",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*n",
    .flops = "2*n",
    .tolerance = { .ulps = 4, .why = "one or two roundings" },
    .reference = reference,
    .informational = "made for the proofs of the protections",
};

#endif
