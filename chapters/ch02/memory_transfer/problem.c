/* memory_transfer - y = x / 128: samples of 8 bits are brought to where they are computed on, as f32.
 * Why it is interesting: the arithmetic is nothing, so the time is that of the way. Where a device has memory of its own, x
 * lies on the host, the way is a link of a fiftieth of the memory's bandwidth, and what counts is how the host's pages can be
 * read from there. In one memory the way is the page tables and the stores' own fetches: four bytes leave for each that
 * comes. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int8_t *x = (const int8_t *)in->tensor[X] + first;
    double *y = to;

    (void)out;
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] / 128.0;
}

static const struct aisp_param params[] = {
    { "n", 8388608, 10007, 134217728, 7500000, 9500000, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_I8, "n", { AISP_INTEGERS, -128, 128 } },
    { "y", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Bring 8-bit samples to where they are computed on",
    .teaches = "hardware overview: links and copy engines, pinned memory, overlap; pages, stores that do not read first",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "5*n",
    .flops = "n",
    .tolerance = { .ulps = 0, .why = "a whole number below 2^24 divided by a power of two is exact" },
    .reference = reference,
};
