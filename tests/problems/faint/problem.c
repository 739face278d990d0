/* faint - three quarters of numbers, which may be subnormal throughout (the stress fill). */
#include <aisp/problem.h>

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    (void)out;
    for (int64_t i = 0; i < n; i++)
        ((double *)to)[i] = 0.75 * (double)((const float *)in->tensor[0])[first + i];
}

static const struct aisp_param params[] = {
    { "n", 2048, 256, 0, 64, 2048, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "n", { AISP_NORMAL, 0, 1 }, { AISP_WIDE, -134, -127 } },
    { "y", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Three quarters",
    .teaches = "nothing: the proofs of the protections cheat at it",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*n",
    .flops = "n",
    .tolerance = { .ulps = 16, .why = "one rounding, which is 2^-150 where the result is subnormal" },
    .reference = reference,
    .informational = "made for the proofs of the protections",
};
