/* inplace - z = 2 z + 1 where it lies: a tensor that a variant is to overwrite. */
#include <aisp/problem.h>

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *z = in->tensor[0];
    double *y = to;

    (void)out;
    for (int64_t i = first; i < first + n; i++)
        *y++ = 2.0 * (double)z[i] + 1.0;
}

static const struct aisp_param params[] = {
    { "n", 4096, 256, 0, 64, 2048, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "z", AISP_INOUT, AISP_F32, "n", { AISP_UNIFORM, 0.5, 1.5 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Twice and one more, in place",
    .teaches = "nothing: the proofs of the protections use it",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*n",
    .flops = "2*n",
    .tolerance = { .ulps = 2, .why = "a product by two is exact, one sum is rounded" },
    .reference = reference,
    .informational = "made for the proofs of the protections",
};
