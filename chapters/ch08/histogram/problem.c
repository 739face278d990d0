/* histogram - count the bytes of each segment: count[s] for the even data, count[segments + s] for
 * the skewed.
 * Half the segments hold evenly spread keys, half follow a Zipf law (the commonest key is every
 * second one): a counter that was just written is wanted again at once, and the second increment
 * waits for the first. A variant that is fast on one kind only pays on the other. Segments keep a
 * row of the truth cheap: one pass over one segment. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t segments = in->param[SEGMENTS], length = in->param[N];
    int64_t *count = to;

    (void)out;
    for (int64_t row = first; row < first + n; row++, count += BINS) {
        const uint8_t *key = in->tensor[row < segments ? EVEN : SKEWED];

        key += (row < segments ? row : row - segments) * length;
        for (int bin = 0; bin < BINS; bin++)
            count[bin] = 0;
        for (int64_t i = 0; i < length; i++)
            count[key[i]]++;
    }
}

static const struct aisp_param params[] = {
    { "segments", 8, 3, 512, 7, 9, 1 },
    { "n", 262144, 100003, 0, 240000, 290000, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "even", AISP_IN, AISP_U8, "segments, n", { AISP_INTEGERS, 0, 256 } },
    { "skewed", AISP_IN, AISP_U8, "segments, n", { AISP_ZIPF, 1.6, 256 } },
    { "count", AISP_OUT, AISP_I32, "2*segments, 256", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Histograms of even and of skewed bytes",
    .teaches = "occupancy and warp efficiency: contention for counters; private copies; "
               "aggregation of runs",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "2*segments*n + 2048*segments",
    .flops = "~2*segments*n",
    .tolerance = { .ulps = 0, .why = "counts are exact" },
    .reference = reference,
};

/* Private tables are cleared and summed however few items there are. */
AISP_SWEEP("n=64:32768:x8");
