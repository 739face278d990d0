/* copy_peak - y = x. How fast can this machine move bytes from memory to memory? The answer is the roof of every kernel that
 * does little with much.
 * x and y (32 MiB each) do not fit the caches. A store to a line that is not cached reads the line first, so that a plain
 * copy moves three bytes for each two that were asked for: the first thing to tune is what is not moved, the second how many
 * lines are under way. Both directions are counted. */
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

/* quick: beyond 15 bits, so that an index that was kept in too few is lost at once. */
static const struct aisp_param params[] = {
    { "n", 8388608, 40003, 268435456, 8000000, 8800000, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "n", { AISP_NORMAL, 0, 1 } },
    { "y", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Copy memory as fast as this machine can",
    .teaches = "memory access: the copy roof; write-allocate and stores past the caches; lines under way; string instructions",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*n",
    .flops = "0",
    .tolerance = { .ulps = 0, .why = "a copy changes nothing" },
    .reference = reference,
};

/* Stores past the caches win where the copy does not fit into them, and nowhere else. */
AISP_SWEEP("n=4096:16777216:x8");
