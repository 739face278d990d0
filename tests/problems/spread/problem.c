/* spread - variances; the values may lie far from zero (the stress fill), where the square of the mean swallows them. */
#include <aisp/problem.h>

enum { X, Y };
enum { ROWS, COLS };

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t cols = in->param[COLS];

    (void)out;
    for (int64_t r = first; r < first + n; r++) {
        const float *x = (const float *)in->tensor[X] + r * cols;
        double mean = 0, sum = 0;

        for (int64_t i = 0; i < cols; i++)
            mean += (double)x[i] / (double)cols;
        for (int64_t i = 0; i < cols; i++)
            sum += ((double)x[i] - mean) * ((double)x[i] - mean);
        ((double *)to)[r - first] = sum / (double)cols;
    }
}

static const struct aisp_param params[] = {
    { "rows", 64, 16, 0, 8, 70, 1 },
    { "cols", 128, 64, 0, 32, 140, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "rows, cols", { AISP_NORMAL, 0, 1 }, { AISP_NORMAL, 1000, 1 } },
    { "y", AISP_OUT, AISP_F32, "rows", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Variances of rows",
    .teaches = "nothing: the proofs of the protections cheat at it",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*rows*cols + 4*rows",
    .flops = "~4*rows*cols",
    .tolerance = { .ulps = 40, .length = "cols", .why = "the mean's rounding enters squared; Higham 2002 section 1.9" },
    .reference = reference,
    .informational = "made for the proofs of the protections",
};
