/* vectorized_load - first[r] = position of the first byte of row r that is not zero, or cols if there is none: what strlen,
 * memchr, memcmp and every parser do most of the time.
 * The rows lie in L2, and next to nothing is done with a byte: time is the number of loads, and the only thing to tune is
 * how many bytes come with one. Compilers do not widen a loop that may end at any element, so that the width is the
 * programmer's affair. A row has a byte that is not zero with a probability of about 0.4, anywhere; most rows are read to
 * the end. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t cols = in->param[COLS];
    int64_t *position = to;

    (void)out;
    for (int64_t r = first; r < first + n; r++) {
        const uint8_t *x = (const uint8_t *)in->tensor[X] + r * cols;
        int64_t found = cols;

        /* From behind: the last one that is seen is the first one. */
        for (int64_t c = cols - 1; c >= 0; c--)
            if (x[c])
                found = c;
        *position++ = found;
    }
}

static const struct aisp_param params[] = {
    { "rows", 48, 33, 131072, 45, 52, 1 },
    { "cols", 4096, 4001, 0, 3800, 4400, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_U8, "rows, cols", { AISP_MASK, 0.000125, 0 }, { AISP_MASK, 0.02, 0 } },
    { "first", AISP_OUT, AISP_I32, "rows", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "The first byte of each row that is not zero",
    .teaches = "memory access: the width of a load; loops that may end at any element; a test for many bytes at once",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    /* A row is read to its first byte that is not zero: 0.78 of 4096 on the average, of long rows 8000. Forty rows together do
     * not end in half of that; a few may. */
    .bytes = "min(1, rows/40)*rows*min(cols/2, 4000) + 4*rows",
    .flops = "0",
    .tolerance = { .ulps = 0, .why = "whole numbers" },
    .reference = reference,
};

/* A wide load reads more than a short row has. */
AISP_SWEEP("cols=4:1024:x4");
