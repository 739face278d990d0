/* strided_access - y[c] = sum of column c of a row-major x. Walking down a column uses four bytes
 * of each line that it touches; walking along the rows uses all of them. x (8 MiB) is larger than
 * L2, a column's lines larger than L1. Every variant adds the rows in the same order: the answers
 * agree to the last bit, only the addresses differ. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = in->tensor[X];
    const int64_t rows = in->param[ROWS], cols = in->param[COLS];
    double *y = to;

    (void)out;
    for (int64_t c = 0; c < n; c++)
        y[c] = 0;
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < n; c++)
            y[c] += (double)x[r * cols + first + c];
}

static const struct aisp_param params[] = {
    { "rows", 2048, 70, 0, 1900, 2200, 1 },
    { "cols", 1024, 83, 0, 900, 1150, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "rows, cols", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "cols", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Sum the columns of a row-major matrix",
    .teaches =
        "memory access: stride, use of a cache line or sector; loop order; register blocking",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*rows*cols + 4*cols",
    .flops = "rows*cols",
    .tolerance = { .ulps = 2,
                   .length = "rows",
                   .why = "rows terms of one sign summed one after another; rounding errors of "
                          "either sign grow as sqrt(rows) (Higham and Mary 2019)" },
    .reference = reference,
};
