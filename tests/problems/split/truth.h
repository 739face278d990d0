/* truth.h - the declaration of both problems with a data set in two parts. Before it: FILL of the rows, TITLE. */
#ifndef TESTS_PROBLEMS_SPLIT_TRUTH_H
#define TESTS_PROBLEMS_SPLIT_TRUTH_H

#include <math.h>

#include <aisp/problem.h>

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *train = in->tensor[0], *test = in->tensor[1];
    const int64_t dim = in->param[2];

    (void)out;
    for (int64_t i = first; i < first + n; i++) {
        double least = INFINITY;

        for (int64_t j = 0; j < in->param[0]; j++) {
            double sum = 0;

            for (int64_t d = 0; d < dim; d++)
                sum += pow((double)test[i * dim + d] - (double)train[j * dim + d], 2);
            least = fmin(least, sum);
        }
        ((double *)to)[i - first] = least;
    }
}

static const struct aisp_param params[] = {
    { "n", 256, 96, 0, 64, 256, 1 },
    { "m", 32, 16, 0, 16, 40, 1 },
    { "dim", 3, 3, 0, 3, 4, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "train", AISP_IN, AISP_F32, "n, dim", FILL, { AISP_NO_FILL, 0, 0 }, AISP_TRAIN },
    { "test", AISP_IN, AISP_F32, "m, dim", FILL, { AISP_NO_FILL, 0, 0 }, AISP_TEST },
    { "y", AISP_OUT, AISP_F32, "m", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = TITLE,
    .teaches = "nothing: the proofs of the protections use it",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*(n + m)*dim + 4*m",
    .flops = "~3*n*m*dim",
    .tolerance = { .ulps = 16, .length = "dim", .why = "sums of squares of differences of exact inputs" },
    .reference = reference,
    .informational = "made for the proofs of the protections",
};

#endif
