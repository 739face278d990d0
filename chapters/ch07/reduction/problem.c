/* reduction - y[r] = sum of row r of x. One addition per four bytes read: at its best it runs at
 * the read roof.
 * Rows of 16384 elements instead of one sum over all of x, for the sake of proof: a row of the
 * truth is cheap, a single element left out of a row is larger than the tolerance. x (48 MiB) does
 * not fit the caches. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = in->tensor[X];
    const int64_t cols = in->param[COLS];
    double *y = to;

    (void)out;
    for (int64_t r = first; r < first + n; r++) {
        double sum = 0;

        for (int64_t c = 0; c < cols; c++)
            sum += (double)x[r * cols + c];
        *y++ = sum;
    }
}

static const struct aisp_param params[] = {
    { "rows", 768, 5, 16384, 730, 840, 1 },
    { "cols", 16384, 203, 0, 15500, 17000, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "rows, cols", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "rows", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Sum the rows of a matrix",
    .teaches = "memory access: reductions; SIMD and independent sums; the read roof",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*rows*cols + 4*rows",
    .flops = "rows*cols",
    .tolerance = { .ulps = 2,
                   .length = "cols",
                   .why = "cols terms of one sign summed one after another; rounding errors of "
                          "either sign grow as sqrt(cols) (Higham and Mary 2019)" },
    .reference = reference,
};

/* Several partial sums have to be set up and added up, also for a short row. */
AISP_SWEEP("rows=cols=4:1024:x4");
