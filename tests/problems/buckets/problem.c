/* buckets - two ranks, a sum that is sent in buckets of a declared size. */
#include <aisp/problem.h>

enum { X, Y, N_DECLARED };
enum { BUCKETS, BUCKET, RANKS };

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    double *y = to;

    (void)out;
    for (int64_t i = first; i < first + n; i++) {
        double sum = 0;

        for (int64_t r = 0; r < in->param[RANKS]; r++)
            sum += (double)((const float *)in->tensor[r * N_DECLARED + X])[i];
        *y++ = sum;
    }
}

static const struct aisp_param params[] = {
    { "buckets", 4, 2, 0, 1, 4, 1 },
    { "bucket", 2048, 2048, 0, 1536, 2048, 64 },
    { "ranks", 2, 2, 0, 2, 3, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "buckets*bucket", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "buckets*bucket", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Sum over ranks, in buckets",
    .teaches = "nothing: the proofs of the protections cheat at it",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*buckets*bucket*ranks",
    .flops = "buckets*bucket*ranks",
    .tolerance = { .ulps = 2, .why = "a sum of two or three" },
    .reference = reference,
    .informational = "made for the proofs of the protections",
    .ranks = "ranks",
    .messages = "buckets*(ranks-1)",
    .message_bytes = "4*bucket",
};
