/* rmsnorm_residual - h = x + r, y[i][c] = h[i][c] * g[c] / sqrt(mean over c of h[i][c]^2 + 1e-5): the step between two blocks
 * of a transformer. Both are results: h goes on along the residual path, y into the next block.
 * Why it is interesting: a row must be summed before its first y, so the operators do not fuse into one loop. But a row is
 * short: whoever goes row by row finds it in the first-level cache, and memory sees x, r, h and y once. */
#include <math.h>

#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = in->tensor[X], *r = in->tensor[R], *g = in->tensor[G];
    const int64_t cols = in->param[COLS];
    double *result = to;

    for (int64_t i = first; i < first + n; i++, result += cols) {
        double squares = 0, factor;

        for (int64_t c = 0; c < cols; c++) {
            result[c] = (double)x[i * cols + c] + r[i * cols + c];
            squares += result[c] * result[c];
        }
        factor = 1 / sqrt(squares / (double)cols + (double)EPSILON);
        for (int64_t c = 0; c < cols && out == Y; c++)
            result[c] *= factor * g[c];
    }
}

static const struct aisp_param params[] = {
    { "rows", 768, 5, 16384, 700, 850, 1 },
    { "cols", 2048, 203, 8192, 1900, 2200, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "rows, cols", { AISP_NORMAL, 0, 1 } },
    { "r", AISP_IN, AISP_F32, "rows, cols", { AISP_NORMAL, 0, 1 } },
    { "g", AISP_WEIGHT, AISP_F32, "cols", { AISP_UNIFORM, 0.5, 1.5 } },
    { "h", AISP_OUT, AISP_F32, "rows, cols", { AISP_NO_FILL, 0, 0 } },
    { "y", AISP_OUT, AISP_F32, "rows, cols", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Add the residual and normalise the rows",
    .teaches = "kernel efficiency: fusion around a reduction; passes over memory; stores that do not read first",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "16*rows*cols + 4*cols",
    .flops = "5*rows*cols",
    .tolerance = { .ulps = 4,
                   .length = "cols + 16",
                   .why = "a sum of cols squares whose rounding errors grow as sqrt(cols) (Higham and Mary 2019), halved by "
                          "the root; 16 stands for the rounding of h, the root, the division and two products" },
    .reference = reference,
};
