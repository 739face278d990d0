/* graph_replay - a program of many small steps on a vector v, the same in each call:
 *   SCALE  v[i] a      SHIFT  v[i] + a      LEAKY  max(v[i], 0.75 v[i])      MIX  0.96 v[i] - 0.28 v[(i + reach) mod n]
 * Each step needs the whole vector of the one before. The program is a weight: known before the first call.
 * Why it is interesting: a step takes as long as it takes to decide what it is and to start it. Who decides once, before the
 * calls, and keeps the decisions as a plan or a graph, has only the steps left. MIX keeps the variance of what is uncorrelated
 * and two thirds of the mean, so that neither dies out or grows. */
#include <math.h>
#include <stdlib.h>

#include <aisp/problem.h>

#include "problem.h"

static double step(int op, double amount, double own, double next)
{
    switch (op) {
    case SCALE:
        return own * amount;
    case SHIFT:
        return own + amount;
    case LEAKY:
        return fmax(own, (double)LEAK * own);
    default:
        return (double)MIX_OWN * own - (double)MIX_NEXT * next;
    }
}

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n_rows, void *to)
{
    const int32_t *op = in->tensor[OPERATOR], *reach = in->tensor[REACH];
    const float *amount = in->tensor[AMOUNT], *x = in->tensor[X];
    const int64_t cols = in->param[COLS], n = in->param[ROWS] * cols;
    double *v = malloc(2 * (size_t)n * sizeof *v), *w = v + n;

    (void)out;
    if (!v)
        abort();
    for (int64_t i = 0; i < n; i++)
        v[i] = x[i];
    for (int64_t s = 0; s < in->param[STEPS]; s++) {
        for (int64_t i = 0; i < n; i++)
            w[i] = step(op[s], amount[s], v[i], v[(i + reach[s]) % n]);
        for (int64_t i = 0; i < n; i++)
            v[i] = w[i];
    }
    for (int64_t i = 0; i < n_rows * cols; i++)
        ((double *)to)[i] = v[first * cols + i];
    free(v);
}

static const struct aisp_param params[] = {
    { "rows", 4, 3, 1024, 3, 5, 1 },
    { "cols", 64, 13, 0, 60, 68, 1 },
    { "steps", 256, 19, 0, 200, 300, 1 },
    { 0 },
};

/* Of longer programs some have more MIX in a row than the tolerance allows for: at 512 steps one in some 700. */
static const struct aisp_tensor tensors[] = {
    { "operator", AISP_WEIGHT, AISP_I32, "most(steps, 320)", { AISP_INTEGERS, 0, N_OPERATORS } },
    { "amount", AISP_WEIGHT, AISP_F32, "steps", { AISP_UNIFORM, 0.8, 1.25 } },
    { "reach", AISP_WEIGHT, AISP_I32, "steps", { AISP_INTEGERS, 1, 1 << 20 } },
    { "x", AISP_IN, AISP_F32, "rows, cols", { AISP_NORMAL, 0, 1 } },
    { "y", AISP_OUT, AISP_F32, "rows, cols", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "A program of many small steps",
    .teaches = "graphs for repeated launches: one dispatch a step, a plan made once, a graph replayed, edges between kernels",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*rows*cols + 12*steps",
    .flops = "~steps*rows*cols",
    .tolerance = { .ulps = 32,
                   .length = "steps",
                   .why = "two roundings a step with random signs (Higham and Mary 2019), each of what the vector then is; a MIX "
                          "keeps errors as they are and takes a third of the mean: 32 allows for ten of them in a row" },
    .reference = reference,
};
