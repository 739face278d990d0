/* transpose - y[c][r] = x[r][c]. The smallest kernel in which one side of every access is against
 * the grain. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = in->tensor[X];
    const int64_t rows = in->param[ROWS], cols = in->param[COLS];
    double *y = to;

    (void)out;
    for (int64_t c = first; c < first + n; c++)
        for (int64_t r = 0; r < rows; r++)
            *y++ = x[r * cols + c];
}

/* 2048 rows are the hard case on purpose: lines of y a power of two apart share a few sets of each
 * cache. */
static const struct aisp_param params[] = {
    { "rows", 2048, 70, 8192, 1900, 2200, 1 },
    { "cols", 1280, 53, 8192, 1200, 1400, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "rows, cols", { AISP_NORMAL, 0, 1 } },
    { "y", AISP_OUT, AISP_F32, "cols, rows", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Transpose a matrix",
    .teaches =
        "memory access: coalescing, tiles, bank conflicts; on the CPU cache lines, blocking, "
        "in-register shuffles",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*rows*cols",
    .flops = "0",
    .tolerance = { .ulps = 0, .why = "a transpose moves values and changes none" },
    .reference = reference,
};

/* A matrix smaller than a tile is all edge. */
AISP_SWEEP("rows=cols=4:256:x2");
