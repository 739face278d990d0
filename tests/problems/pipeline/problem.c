/* pipeline - two ranks, one after the other. */
#include <math.h>

#include <aisp/problem.h>

enum { X, Y, N_DECLARED };

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = in->tensor[X];
    const double power = out / N_DECLARED ? 0.25 : -0.5;
    double *y = to;

    for (int64_t i = first; i < first + n; i++)
        *y++ = pow((double)x[i], power);
}

static const struct aisp_param params[] = {
    { "n", 4096, 512, 0, 256, 4096, 1 },
    { "steps", 64, 32, 0, 8, 80, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "max(1, n*(1-rank))", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "max(1, n*rank)", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Two stages",
    .teaches = "nothing: the proofs of the protections cheat at it",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*n",
    .flops = "~10*n*steps",
    .tolerance = { .ulps = 10,
                   .why = "four roundings of the last step of each stage, and their starts" },
    .reference = reference,
    .informational = "made for the proofs of the protections",
    .ranks = "2",
    .team = AISP_STAGES,
};
