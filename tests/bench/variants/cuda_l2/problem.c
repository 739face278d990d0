/* cuda_l2 - y = x, `passes` times in one call: 4 MB and 4 MB, which a card's L2 holds. A kernel of some 50 us that works out of
 * L2, so that what lies between one kernel and the next is as small a part of it as of a copy out of memory. With one pass it is
 * the short kernel of a few us. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = in->tensor[X];
    double *y = to;

    (void)out;
    for (int64_t i = first; i < first + n; i++)
        *y++ = x[i];
}

static const struct aisp_param params[] = {
    { "n", 1000000, 40003, 0, 900000, 1100000, 1 },
    { "passes", 32, 3, 0, 28, 36, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "n", { AISP_NORMAL, 0, 1 } },
    { "y", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Copy inside L2, again and again",
    .teaches = "nothing: a card's kernels are compared with their own copies",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*n",
    .flops = "0",
    .tolerance = { .ulps = 0, .why = "a copy changes nothing" },
    .reference = reference,
    .informational = "a yardstick of the harness",
};
