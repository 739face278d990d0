/* scan - y[r][c] = x[r][0] + ... + x[r][c]: the inclusive prefix sums of each row.
 * Every output depends on all inputs before it, so the definition is one chain of additions through a row; and yet a scan
 * can run at the speed of a copy, because a sum may be cut into pieces that do not wait for each other. Rows of 8192 make a
 * row of the truth cheap, and leave no element whose loss would hide in the rounding. x and y (20 MiB each) do not fit the
 * caches. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t cols = in->param[COLS];
    const float *x = (const float *)in->tensor[X] + first * cols;
    double *y = to;

    (void)out;
    for (int64_t r = 0; r < n; r++) {
        double sum = 0;

        for (int64_t c = 0; c < cols; c++) {
            sum += (double)*x++;
            *y++ = sum;
        }
    }
}

static const struct aisp_param params[] = {
    { "rows", 640, 7, 0, 620, 680, 1 },
    { "cols", 8192, 203, 0, 7800, 8600, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "rows, cols", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "rows, cols", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Prefix sums of the rows of a matrix",
    .teaches = "occupancy and warp efficiency: scans; a chain of additions cut into pieces; one pass over memory",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*rows*cols",
    .flops = "rows*cols",
    .tolerance = { .ulps = 2,
                   .length = "cols",
                   .why = "at most cols terms of one sign summed one after another; rounding errors of either sign grow as "
                          "sqrt(cols) (Higham and Mary 2019)" },
    .reference = reference,
};

/* A short row is over before lanes are filled. */
AISP_SWEEP("cols=4:1024:x4");
