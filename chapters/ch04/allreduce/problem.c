/* allreduce - every rank has a vector and wants the sum of all of them. The ranks are processes on this machine, and what they share is
 * memory: a store there is what a message is elsewhere, a flag what its arrival is. A step ends for all at once: each variant meets
 * once more before it returns, so that no rank writes what another still reads. */
#include <aisp/problem.h>

#include "problem.h"

enum { N_DECLARED = 2 };

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    double *y = to;

    (void)out; /* every rank wants the same */
    for (int64_t i = first; i < first + n; i++) {
        double sum = 0;

        for (int64_t r = 0; r < in->param[RANKS]; r++)
            sum += (double)((const float *)in->tensor[r * N_DECLARED + X])[i];
        *y++ = sum;
    }
}

/* quick: one element more than whole shares of 512, which two ranks that share it out by halves must not leave to nobody. */
static const struct aisp_param params[] = {
    { "n", 131072, 1025, 0, 120000, 150000, 1 },
    { "ranks", 2, 2, 0, 2, 3, 1 },
    { 0 },
};

/* A vector fits into a rank's room of the rendezvous, which is made of whole lines. */
static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "most(n, 1047552/ranks/16*16)", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Add up a vector over all ranks",
    .teaches = "distributed communication: gather to a root, reduce-scatter and all-gather, one shot",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*n*ranks",
    .flops = "n*(ranks-1)",
    .tolerance = { .ulps = 2,
                   .length = "max(1, ranks - 2)",
                   .why = "a sum of two or three terms of one sign; of more, roundings of either sign grow as the root of their number" },
    .reference = reference,
    .ranks = "ranks + most(2, ranks) - 2", /* one alone has nobody to meet */
};
