/* quarrel - two references that do not agree about values above 1.4: one of them is no truth. */
#include <aisp/problem.h>

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    (void)out;
    for (int64_t i = 0; i < n; i++)
        ((double *)to)[i] = 3 * (double)((const float *)in->tensor[0])[first + i];
}

static void second(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    reference(in, out, first, n, to);
    for (int64_t i = 0; i < n; i++)
        if (((const float *)in->tensor[0])[first + i] > 1.4f)
            ((double *)to)[i] *= 1.001;
}

static const struct aisp_param params[] = {
    { "n", 2048, 256, 0, 64, 2048, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "n", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Three times",
    .teaches = "nothing: the proofs of the protections use it",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*n",
    .flops = "n",
    .tolerance = { .ulps = 4, .why = "one rounding" },
    .reference = reference,
    .informational = "made for the proofs of the protections",
    .second = second,
};
