/* branch_divergence - a function in two pieces, a short one and a long one: y = c[0] + c[1] x where x < 7/8, else the
 * polynomial of all 64 coefficients. One element in eight goes the long way, and which one is known when it is there.
 * On a GPU a warp goes both ways if one of its threads does; on a CPU a branch that is guessed wrong throws away what was
 * begun, and no SIMD lane can go another way than its neighbours. Both kinds of processor know the same two answers: compute
 * both ways and select, or bring those together that go the same way. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = in->tensor[X], *c = in->tensor[C];
    double *y = to;

    (void)out;
    for (int64_t i = first; i < first + n; i++) {
        double power = 1, sum = 0;

        /* Term by term from below; the variants go from above. */
        for (int k = 0; k < (x[i] >= HARD_FROM ? TERMS : 2); k++, power *= (double)x[i])
            sum += (double)c[k] * power;
        *y++ = sum;
    }
}

/* quick: beyond 15 bits, so that an index that was kept in too few is lost at once. */
static const struct aisp_param params[] = {
    { "n", 131072, 40003, 0, 125000, 140000, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "n", { AISP_UNIFORM, 0, 1 } },
    { "c", AISP_IN, AISP_F32, "64", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "A function of a short and a long way",
    .teaches = "occupancy and warp efficiency: divergence; both ways and a selection; partition by way",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*n + 256",
    .flops = "2*n",
    .tolerance = { .ulps = 4,
                   .length = "64",
                   .why = "up to 63 products and 63 sums of one sign, each rounded; rounding errors of either sign grow as the "
                          "square root of their number (Higham and Mary 2019)" },
    .reference = reference,
};
