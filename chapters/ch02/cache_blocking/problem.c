/* cache_blocking - count[q] = how many of the n values of x are below threshold[q]: points of an
 * empirical distribution.
 * x is larger than the caches. Whoever asks one question after the other reads it once per
 * question from DRAM; whoever asks all questions of one block reads it once. Counts are whole
 * numbers: any order of work gives the same answer. Run it at n = 4096, 65536, 2097152 too (L1,
 * L2, L3): the ladder of the machine is the gain that blocking has there. A row of the truth is
 * one question, a pass over x. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *threshold = in->tensor[THRESHOLD], *x = in->tensor[X];
    int64_t *count = to;

    (void)out;
    for (int64_t q = first; q < first + n; q++) {
        int64_t below = 0;

        for (int64_t i = 0; i < in->param[N]; i++)
            below += x[i] < threshold[q];
        *count++ = below;
    }
}

/* quick: beyond 15 bits, so that an index that was kept in too few is lost at once. */
static const struct aisp_param params[] = {
    { "queries", 4, 11, 0, 4, 5, 1 },
    { "n", 10485760, 40003, 0, 9800000, 11000000, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "threshold", AISP_IN, AISP_F32, "queries", { AISP_UNIFORM, 0, 1 } },
    { "x", AISP_IN, AISP_F32, "n", { AISP_UNIFORM, 0, 1 } },
    { "count", AISP_OUT, AISP_I32, "queries", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Several questions about one large array",
    .teaches = "hardware overview: memory hierarchy; cache blocking; bandwidth of each level",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*n + 8*queries",
    .flops = "~queries*n",
    .tolerance = { .ulps = 0, .why = "counts are exact" },
    .reference = reference,
};
