/* shards - two ranks, shards of unequal size. */
#include <math.h>

#include <aisp/problem.h>

enum { X, Y, N_DECLARED };

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = in->tensor[out - Y + X];
    double *y = to;

    for (int64_t i = first; i < first + n; i++)
        *y++ = 1.0 / sqrt((double)x[i]);
}

static const struct aisp_param params[] = {
    { "n", 8190, 1022, 0, 510, 8190, 64 },
    { "steps", 32, 32, 0, 8, 40, 1 },
    { 0 },
};

#define SHARD "(rank+1)*(rank+1)*n/(ranks*ranks) - rank*rank*n/(ranks*ranks)"
static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, SHARD, { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, SHARD, { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "One over the square root, in shards",
    .teaches = "nothing: the proofs of the protections cheat at it",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*n",
    .flops = "~5*n*steps",
    .tolerance = { .ulps = 6, .why = "four roundings of the last step, and its start" },
    .reference = reference,
    .informational = "made for the proofs of the protections",
    .ranks = "2",
};
