/* grid_sync - `steps` sweeps of a smoothing filter over a line of cells: each becomes a half of itself and a quarter of each
 * neighbour, the two ends stay. A sweep needs all of the one before it, so that the plain form is a sweep, a barrier, a
 * sweep; the cells (8 MiB) do not fit the second cache, and each sweep fetches them anew. But a cell depends only on those
 * at most as far away as there are steps: a piece with a margin of that width can go through all steps by itself, near the
 * core.
 * A cell left out, a step too few or an old margin are far outside the tolerance, for the filter moves every cell by some
 * percent. */
#include <stdlib.h>

#include <aisp/problem.h>

#include "problem.h"

/* The cells that [first, first + n) depend on, swept in double in place. */
static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t cells = in->param[CELLS], steps = in->param[STEPS];
    const int64_t begin = first < steps ? 0 : first - steps;
    const int64_t end = first + n + steps > cells ? cells : first + n + steps;
    const float *x = in->tensor[X];
    double *u = malloc((size_t)(end - begin) * sizeof *u), *y = to;

    (void)out;
    if (!u)
        abort();
    for (int64_t i = begin; i < end; i++)
        u[i - begin] = (double)x[i];
    for (int64_t s = 0; s < steps; s++) {
        double before = u[0];

        for (int64_t i = 1; i + 1 < end - begin; i++) {
            const double here = u[i];

            u[i] = (before + 2 * here + u[i + 1]) / 4;
            before = here;
        }
    }
    for (int64_t i = 0; i < n; i++)
        y[i] = u[first - begin + i];
    free(u);
}

/* quick: more steps than go between two barriers. */
static const struct aisp_param params[] = {
    { "cells", 1 << 21, 5003, 0, 2000000, 2300000, 1 },
    { "steps", 8, 37, 0, 7, 9, 1, AISP_STEPS },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "cells", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "cells", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Sweeps of a filter over a line of cells",
    .teaches = "grid-wide phases: a barrier for each, many phases between two barriers, pieces that stay in the first cache",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*cells",
    .flops = "~4*cells*steps",
    .tolerance = { .ulps = 4,
                   .length = "steps",
                   .why = "two roundings a step, of numbers of one sign; a step averages the errors before it and adds two" },
    .reference = reference,
};
