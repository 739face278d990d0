/* pipeline_schedule - two layers of a network on two ranks: h = max(0, x W) on the first, y = max(0, h V + b) on the second. Neither has the
 * other's weights. What differs is how much of the batch is handed over at a time, and so how long one of the two waits.
 * The tensors of both ranks have the same names: x is the batch on rank 0 and one row, b, on rank 1; y is the result on rank 1 and on
 * rank 0 the first row of h. */
#include <aisp/problem.h>

#include "problem.h"

enum { N_DECLARED = 3, MOST_WIDTH = 1024 };

static double hidden(const struct aisp_view *in, int64_t row, int64_t col)
{
    const int64_t width = in->param[WIDTH];
    const float *x = (const float *)in->tensor[X] + row * width, *w = in->tensor[WEIGHTS];
    double sum = 0;

    for (int64_t k = 0; k < width; k++)
        sum += (double)x[k] * (double)w[k * width + col];
    return sum > 0 ? sum : 0;
}

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t width = in->param[WIDTH];
    const float *v = in->tensor[N_DECLARED + WEIGHTS], *bias = in->tensor[N_DECLARED + X];
    double h[MOST_WIDTH], *y = to;

    for (int64_t row = first; row < first + n; row++) {
        for (int64_t k = 0; k < width; k++)
            h[k] = hidden(in, row, k);
        for (int64_t c = 0; c < width; c++) {
            double sum = (double)bias[c];

            for (int64_t k = 0; k < width && out / N_DECLARED; k++)
                sum += h[k] * (double)v[k * width + c];
            *y++ = !(out / N_DECLARED) ? h[c] : sum > 0 ? sum : 0;
        }
    }
}

static const struct aisp_param params[] = {
    { "batch", 64, 9, 0, 56, 72, 1 },
    { "width", 256, 33, 0, 240, 280, 1 },
    { 0 },
};

/* h of the whole batch fits into a rank's half of the rendezvous, and a row of it into what the truth has for one. */
static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "max(1, most(batch, 523776/width)*(1-rank)), most(width, 1024)", { AISP_UNIFORM, 0.0, 1.0 } },
    { "w", AISP_WEIGHT, AISP_F32, "width, width", { AISP_NORMAL, 0.02, 0.1 } },
    { "y", AISP_OUT, AISP_F32, "max(1, batch*rank), width", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Two layers on two ranks",
    .teaches = "distributed training: pipeline stages, micro-batches, the bubble",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*batch*width + 8*width*width",
    .flops = "4*batch*width*width",
    .tolerance = { .ulps = 8,
                   .length = "width",
                   .why = "two sums of width products, the second of terms that carry the first's error (Higham 2002, section 3.5)" },
    .reference = reference,
    .ranks = "2",
    .team = AISP_STAGES,
};
