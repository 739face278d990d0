/* card_softmax - of each row; every variant must bear scores whose exponential no f32 holds. */
#include <math.h>

#include <aisp/problem.h>

enum { ROWS, COLS };

static void reference(const struct aisp_view *v, int out, int64_t first, int64_t n, void *to)
{
    const int64_t cols = v->param[COLS];
    double *y = to;

    (void)out;
    for (int64_t r = first; r < first + n; r++, y += cols) {
        const float *x = (const float *)v->tensor[0] + r * cols;
        double most = x[0], sum = 0;

        for (int64_t c = 1; c < cols; c++)
            most = fmax(most, (double)x[c]);
        for (int64_t c = 0; c < cols; c++)
            sum += y[c] = exp((double)x[c] - most);
        for (int64_t c = 0; c < cols; c++)
            y[c] /= sum;
    }
}

static const struct aisp_param params[] = {
    { "rows", 1024, 64, 0, 32, 1024, 1 },
    { "cols", 512, 96, 0, 33, 700, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "rows, cols", { AISP_NORMAL, 0, 1 }, { AISP_UNIFORM, 80, 200 } },
    { "y", AISP_OUT, AISP_F32, "rows, cols", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Softmax of each row",
    .teaches = "nothing: the proofs of the protections cheat at it",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*rows*cols",
    .flops = "~5*rows*cols",
    .tolerance = { .ulps = 32, .why = "two of an exponential, a sum of positive terms in 32 parts, a division" },
    .reference = reference,
    .informational = "made for the proofs of the protections",
};
