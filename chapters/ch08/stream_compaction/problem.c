/* stream_compaction - keep what lies above the level of its row: y[r] = those elements of x[r] in their order, then zeros;
 * count[r] tells how many they are. The filter of every query, every particle code and every sparse format.
 * Where an element goes depends on all before it, and whether it goes anywhere is a coin that no predictor knows. Each row
 * has a level of its own, so that the share that is kept runs from none to all: on the average a quarter of the branches are
 * guessed wrong, and no variant can be made for one share. The rest of a row is zero, so that every element of y is defined. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t width = in->param[N];
    int64_t *result = to;

    for (int64_t r = first; r < first + n; r++) {
        const int32_t *x = (const int32_t *)in->tensor[X] + r * width, level = ((const int32_t *)in->tensor[LEVEL])[r];
        int64_t kept = 0;

        for (int64_t i = 0; i < width; i++) {
            if (x[i] <= level)
                continue;
            if (out == Y)
                result[kept] = x[i];
            kept++;
        }
        if (out == COUNT) {
            *result++ = kept;
            continue;
        }
        for (; kept < width; kept++)
            result[kept] = 0;
        result += width;
    }
}

static const struct aisp_param params[] = {
    { "rows", 64, 5, 0, 60, 70, 1 },
    { "n", 16384, 203, 0, 15500, 17500, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_I32, "rows, n", { AISP_INTEGERS, -1000000, 1000000 } },
    { "level", AISP_IN, AISP_I32, "rows", { AISP_INTEGERS, -1000000, 1000000 } },
    { "y", AISP_OUT, AISP_I32, "rows, n", { AISP_NO_FILL, 0, 0 } },
    { "count", AISP_OUT, AISP_I32, "rows", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Keep the elements above a level, in order",
    .teaches = "occupancy and warp efficiency: filters without branches; positions from counts of a mask",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*rows*n + 8*rows",
    .flops = "0",
    .tolerance = { .ulps = 0, .why = "elements are moved and counted, never changed" },
    .reference = reference,
};
