/* allreduce - two ranks, one sum. */
#include <math.h>

#include <aisp/problem.h>

enum { X, Y, N_DECLARED };
enum { N, STEPS, RANKS };

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    double *y = to;

    (void)out;
    for (int64_t i = first; i < first + n; i++) {
        double sum = 0;

        for (int64_t r = 0; r < in->param[RANKS]; r++)
            sum += 1.0 / sqrt((double)((const float *)in->tensor[r * N_DECLARED + X])[i]);
        *y++ = sum;
    }
}

static const struct aisp_param params[] = {
    { "n", 4096, 512, 0, 256, 4096, 1 },
    { "steps", 160, 32, 0, 8, 160, 1 },
    { "ranks", 2, 2, 0, 2, 3, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "n", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Sum over ranks",
    .teaches = "nothing: the proofs of the protections cheat at it",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*n*ranks",
    .flops = "~5*n*steps*ranks",
    .tolerance = { .ulps = 8,
                   .why = "four roundings of the last step, its start, and those of the sum" },
    .reference = reference,
    .informational = "made for the proofs of the protections",
    .ranks = "ranks",
};
