/* online_softmax - y[r][c] = exp(x[r][c] - max of row r) / sum of those exponentials, row by row.
 * The maximum must be known before the first exponential, the sum before the first output: three
 * passes, unless a pass works with the maximum so far and corrects itself when that changes. Rows
 * of 64 KiB stay in L2 between passes. */
#include <math.h>

#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t cols = in->param[COLS];
    double *y = to;

    (void)out;
    for (int64_t r = first; r < first + n; r++, y += cols) {
        const float *x = (const float *)in->tensor[X] + r * cols;
        double max = x[0], sum = 0;

        for (int64_t c = 1; c < cols; c++)
            max = x[c] > max ? x[c] : max;
        for (int64_t c = 0; c < cols; c++) {
            y[c] = exp(x[c] - max);
            sum += y[c];
        }
        for (int64_t c = 0; c < cols; c++)
            y[c] /= sum;
    }
}

static const struct aisp_param params[] = {
    { "rows", 64, 3, 16384, 56, 72, 1 },
    { "cols", 16384, 9003, 8192, 15000, 18000, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "rows, cols", { AISP_NORMAL, 0, 2 } },
    { "y", AISP_OUT, AISP_F32, "rows, cols", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Softmax of long rows",
    .teaches = "kernel efficiency: online softmax, passes over memory; polynomial SIMD exponential",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*rows*cols",
    .flops = "~5*rows*cols",
    .tolerance = { .ulps = 2,
                   .length = "cols + 64",
                   .why = "an exponential at 2 ulp of a difference rounded once, a division, and "
                          "a sum of cols positive terms whose rounding errors grow as sqrt(cols) "
                          "(Higham and Mary 2019); 64 stands for the parts that do not grow" },
    .reference = reference,
};

/* Lanes pay for long rows; how many rows there are matters little. */
AISP_SWEEP("rows=1:64:x8 cols=4:256:x4");
