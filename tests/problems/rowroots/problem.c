/* rowroots - a millisecond or so a call, out of the last cache. */
#include <math.h>

#include <aisp/problem.h>

enum { X, Y };
enum { ROWS, COLS };

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = in->tensor[X];
    const int64_t cols = in->param[COLS];
    double *y = to;

    (void)out;
    for (int64_t r = first; r < first + n; r++) {
        double sum = 0;

        for (int64_t c = 0; c < cols; c++)
            sum += sqrt(x[r * cols + c]);
        *y++ = sum;
    }
}

static const struct aisp_param params[] = {
    { "rows", 2048, 33, 0, 1900, 2100, 1 },
    { "cols", 512, 65, 0, 500, 540, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "rows, cols", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "rows", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Sums of square roots",
    .teaches = "nothing: a test",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*rows*cols + 4*rows",
    .flops = "~2*rows*cols",
    .tolerance = { .ulps = 40, .length = "cols", .why = "f32 sums of cols positive terms, far inside Higham 2002 eq. 3.5" },
    .reference = reference,
};
