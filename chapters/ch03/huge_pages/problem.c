/* huge_pages - follow chains of keys through a table of 128 MiB: end[w] is the key found after
 * `hops` steps from start[w].
 * Each step is a load from a random place that must be finished before the next can begin: the
 * pattern of hash tables, trees and embedding tables. With 4 KiB pages such a load misses the TLB
 * too, and the walk through the page tables, twice as long in a virtual machine, is added to it.
 * With 2 MiB pages the TLB reaches 512 times as far. The table is a weight: it keeps its contents,
 * and a variant asks for its pages by a placement wish. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int32_t *table = in->tensor[TABLE], *start = in->tensor[START];
    const int64_t half = INT64_C(1) << 30;
    int64_t *end = to;

    (void)out;
    for (int64_t w = first; w < first + n; w++) {
        int64_t key = start[w];

        /* Keys are below 2^31, entries below 2^31: the product fits. */
        for (int64_t h = 0; h < in->param[HOPS]; h++)
            key = table[key * in->param[ENTRIES] / (2 * half)];
        *end++ = key;
    }
}

static const struct aisp_param params[] = {
    { "entries", 33554432, 5000, 402653184, 30000000, 35000000, 1 },
    { "walks", 16384, 77, 0, 14000, 18000, 1 },
    { "hops", 8, 3, 0, 7, 9, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "table", AISP_WEIGHT, AISP_I32, "entries", { AISP_INTEGERS, 0, 2147483648.0 } },
    { "start", AISP_IN, AISP_I32, "walks", { AISP_INTEGERS, 0, 2147483648.0 } },
    { "end", AISP_OUT, AISP_I32, "walks", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Random walks through a large table",
    .teaches = "operating system: page size and TLB reach; transparent huge pages",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    /* Chains may meet, so that only the walks' own ends are certain to move. */
    .bytes = "8*walks",
    .flops = "0",
    .tolerance = { .ulps = 0, .why = "keys are copied, never changed" },
    .reference = reference,
};
