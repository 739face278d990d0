/* gradient_fusion - the mean over ranks of many small gradients: what a data-parallel step does with a model of many layers. Each gradient
 * is so small that meeting takes longer than adding. */
#include <aisp/problem.h>

#include "problem.h"

enum { N_DECLARED = 2 };

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t length = in->param[LENGTH], ranks = in->param[RANKS];
    double *y = to;

    (void)out;
    for (int64_t i = first * length; i < (first + n) * length; i++) {
        double sum = 0;

        for (int64_t r = 0; r < ranks; r++)
            sum += (double)((const float *)in->tensor[r * N_DECLARED + X])[i];
        *y++ = sum / (double)ranks;
    }
}

static const struct aisp_param params[] = {
    { "tensors", 200, 7, 0, 180, 230, 1 },
    { "length", 256, 33, 0, 230, 290, 1 },
    { "ranks", 2, 2, 0, 2, 3, 1 },
    { 0 },
};

/* All gradients, and a bucket of eight, fit into half of a rank's room of the rendezvous, which is made of whole lines. */
static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "tensors, most(length, 1047552/ranks/16*8/max(8, tensors))", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "tensors, length", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "The mean over ranks of many small gradients",
    .teaches = "distributed communication: latency against bandwidth; fusing messages into buckets",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*tensors*length*ranks",
    .flops = "tensors*length*ranks",
    .tolerance = { .ulps = 3,
                   .length = "max(1, ranks - 2)",
                   .why = "a sum of two or three terms of one sign, and a product; of more, roundings of either sign grow as the root of "
                          "their number" },
    .reference = reference,
    .ranks = "ranks + most(2, ranks) - 2", /* one alone has nobody to meet */
};
