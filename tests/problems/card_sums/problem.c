/* card_sums - sums of rows of 1024, 64 MiB of them: more than a card's cache holds, with outputs that are next to nothing, so that
 * poisoning them sweeps nothing out. */
#include <aisp/problem.h>

enum { WIDE = 1024 };

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = in->tensor[0];
    double *y = to;

    (void)out;
    for (int64_t r = first; r < first + n; r++, y++) {
        *y = 0;
        for (int64_t i = 0; i < WIDE; i++)
            *y += (double)x[r * WIDE + i];
    }
}

static const struct aisp_param params[] = {
    { "n", 16384, 64, 0, 32, 512, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "n,1024", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Sums of rows that no cache holds",
    .teaches = "nothing: the proofs of the protections cheat at it",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4100*n",
    .flops = "1024*n",
    .tolerance = { .ulps = 36, .why = "36 roundings of terms above zero" },
    .reference = reference,
    .informational = "made for the proofs of the protections",
};
