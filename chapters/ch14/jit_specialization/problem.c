/* jit_specialization - y[e] = d u[e] for many small matrices: d (rows, depth) is one operator for all, u[e] (depth, cols)
 * an element. Finite elements and small convolutions look like this.
 * Why it is interesting: the shape is known only when the program runs, and then for all of its run. Code for any shape
 * spends its time on what the shape decides: counters of short loops, masks at edges, how many sums fit into registers.
 * Code for one shape has all that in its instructions. Who knows the shapes beforehand lets the compiler write a few; who
 * does not writes the code on the spot. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t rows = in->param[ROWS], depth = in->param[DEPTH], cols = in->param[COLS];
    const float *d = in->tensor[D], *u = in->tensor[U];
    double *y = to;

    (void)out;
    for (int64_t i = first; i < first + n; i++)
        for (int64_t c = 0; c < cols; c++) {
            double sum = 0;

            for (int64_t k = 0; k < depth; k++)
                sum += (double)d[i % rows * depth + k] * (double)u[(i / rows * depth + k) * cols + c];
            *y++ = sum;
        }
}

/* quick: more columns than two vectors hold. */
static const struct aisp_param params[] = {
    { "elements", 1024, 37, 0, 960, 1100, 1 },
    { "rows", 23, 5, 0, 21, 25, 1 },
    { "depth", 21, 7, 0, 19, 23, 1 },
    { "cols", 11, 19, 0, 9, 13, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "d", AISP_WEIGHT, AISP_F32, "rows, depth", { AISP_NORMAL, 0, 1 } },
    { "u", AISP_IN, AISP_F32, "elements*depth, cols", { AISP_NORMAL, 0, 1 } },
    { "y", AISP_OUT, AISP_F32, "elements*rows, cols", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "One small operator on many small matrices",
    .teaches = "code generation: shapes in variables, in a few compiled buckets, in instructions written at run time",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*(rows*depth + elements*depth*cols + elements*rows*cols)",
    .flops = "~2*elements*rows*depth*cols",
    .tolerance = { .ulps = 4,
                   .length = "depth",
                   .why = "a sum of depth products of random sign, whose roundings grow as the root of their number (Higham "
                          "and Mary 2019)" },
    .reference = reference,
};
