/* random_gather - y[b] = sum of the rows of a table that the keys of bag b name: the embedding bags of a recommender, the
 * neighbours in a graph, the particles of a cell.
 * The table (128 MiB) fits no cache, a row is four lines of it, and each key names another page: every row costs a miss of
 * the TLB and misses of all caches. The keys are known in advance, so that nothing but the order of the code makes a row
 * wait for the one before it. The table is a weight: it keeps its contents, the keys are new in each call. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t members = in->param[MEMBERS];
    const float *table = in->tensor[TABLE];
    const int32_t *key = in->tensor[KEY];
    double *y = to;

    (void)out;
    for (int64_t b = first; b < first + n; b++)
        for (int64_t w = 0; w < WIDTH; w++) {
            double sum = 0;

            for (int64_t m = 0; m < members; m++)
                sum += (double)table[row_of(key[b * members + m], in->param[ENTRIES]) * WIDTH + w];
            *y++ = sum;
        }
}

static const struct aisp_param params[] = {
    { "entries", 524288, 3001, 0, 500000, 560000, 1 },
    { "bags", 1024, 7, 0, 960, 1120, 1 },
    { "members", 32, 5, 0, 29, 35, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "table", AISP_WEIGHT, AISP_F32, "entries, 64", { AISP_UNIFORM, 0.5, 1.5 } },
    { "key", AISP_IN, AISP_I32, "bags, members", { AISP_INTEGERS, 0, 2147483648.0 } },
    { "y", AISP_OUT, AISP_F32, "bags, 64", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Sums of table rows named by random keys",
    .teaches = "memory access: gathers, latency and the number of misses under way; software prefetch; order by place",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    /* Keys may name the same row, and the last cache may hold some of the table: half a row for a key is certain to move. */
    .bytes = "128*min(bags*members, entries) + 4*bags*members + 256*bags",
    .flops = "64*bags*members",
    .tolerance = { .ulps = 2,
                   .length = "members",
                   .why = "members terms of one sign, summed in any order; rounding errors of either sign grow as "
                          "sqrt(members) (Higham and Mary 2019)" },
    .reference = reference,
};

/* What hides the latency of memory only costs where the table lies in a near cache. */
AISP_SWEEP("entries=1024:262144:x4");
