/* diffusion - a solver that is asked for a number of steps, short of where it would settle. */
#include <stdlib.h>

#include <aisp/problem.h>

enum { U, Y };
enum { N, STEPS };

static void one_step(double *u, double *next, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        next[i] = u[i] / 2 + (u[(i + n - 1) % n] + u[(i + 1) % n]) / 4;
    for (int64_t i = 0; i < n; i++)
        u[i] = next[i];
}

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t all = in->param[N];
    double *u = calloc((size_t)(2 * all), sizeof *u);

    (void)out;
    for (int64_t i = 0; i < all; i++)
        u[i] = (double)((const float *)in->tensor[U])[i];
    for (int64_t s = 0; s < in->param[STEPS]; s++)
        one_step(u, u + all, all);
    for (int64_t i = 0; i < n; i++)
        ((double *)to)[i] = u[first + i];
    free(u);
}

static const struct aisp_param params[] = {
    { "n", 256, 64, 0, 48, 300, 1 },
    { "steps", 40, 20, 0, 16, 48, 1, AISP_STEPS },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "u", AISP_IN, AISP_F32, "n", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Steps of a diffusion",
    .teaches = "nothing: the proofs of the protections cheat at it",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*n",
    .flops = "~4*n*steps",
    .tolerance = { .ulps = 16, .length = "steps", .why = "each step is a mean: roundings add up, errors do not grow" },
    .reference = reference,
    .informational = "made for the proofs of the protections",
};
