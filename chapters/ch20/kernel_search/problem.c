/* kernel_search - an image of one channel under a filter of 7 x 7 weights: y[r][c] = sum of w[i][k] x[r + i][c + k].
 * 49 multiply-adds for each pixel that is written, all from registers if the kernel is written well: how many rows and columns
 * of y one tile holds decides how often a pixel of x is loaded again, whether the sums fit the registers, and whether there
 * are enough of them to hide the latency of an addition. These pull in different directions, so the tile is a matter of
 * choice: by hand, by a model that counts, by a search that measures. All rungs run the same family of kernels (family.h);
 * only the choice differs, so that what is compared is the choosing. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t width = in->param[WIDTH], stride = width + TAPS - 1;
    const float *x = in->tensor[X], *w = in->tensor[WEIGHTS];
    double *y = to;

    (void)out;
    for (int64_t r = first; r < first + n; r++)
        for (int64_t c = 0; c < width; c++) {
            double sum = 0;

            for (int64_t i = 0; i < TAPS; i++)
                for (int64_t k = 0; k < TAPS; k++)
                    sum += (double)w[i * TAPS + k] * (double)x[(r + i) * stride + c + k];
            *y++ = sum;
        }
}

static const struct aisp_param params[] = {
    { "height", 720, 11, 0, 680, 770, 1, AISP_PLAIN },
    { "width", 1280, 45, 0, 1200, 1370, 1, AISP_PLAIN },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "height + 6, width + 6", { AISP_NORMAL, 0, 1 } },
    { "weights", AISP_IN, AISP_F32, "7, 7", { AISP_NORMAL, 0, 1 } },
    { "y", AISP_OUT, AISP_F32, "height, width", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Filter an image with 7 x 7 weights",
    .teaches = "choosing among generated kernels: by habit, by a model that counts, by a search that measures",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*(height + 6)*(width + 6) + 196 + 4*height*width",
    .flops = "~98*height*width", /* transforms need fewer multiplications */
    .tolerance = { .ulps = 5,
                   .length = "49",
                   .why = "sum of 49 products, errors of either sign: u*sqrt(49) of the size of a typical sum; 5 covers the "
                          "largest of many million elements (Higham 2002, section 3.1 gives the worst case 49*u)" },
    .reference = reference,
};
