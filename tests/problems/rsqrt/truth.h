/* truth.h - the truth of 1 / sqrt(x), for all problems that ask for it. */
#ifndef TESTS_PROBLEMS_TRUTH_H
#define TESTS_PROBLEMS_TRUTH_H

#include <math.h>

#include <aisp/problem.h>

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = in->tensor[0];
    double *y = to;

    (void)out;
    for (int64_t i = first; i < first + n; i++)
        *y++ = 1.0 / sqrt((double)x[i]);
}

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "n", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

#define RSQRT_PROBLEM(text)                                                                        \
    AISP_PROBLEM = {                                                                               \
        .abi = AISP_ABI,                                                                           \
        .title = text,                                                                             \
        .teaches = "nothing: the proofs of the protections cheat at it",                           \
        .goal = AISP_SPEED,                                                                        \
        .param = params,                                                                           \
        .tensor = tensors,                                                                         \
        .bytes = "8*n",                                                                            \
        .flops = "~5*n*steps",                                                                     \
        .tolerance = { .ulps = 6, .why = "four roundings of the last step, and its start" },       \
        .reference = reference,                                                                    \
        .informational = "made for the proofs of the protections",                                 \
    }

#endif
