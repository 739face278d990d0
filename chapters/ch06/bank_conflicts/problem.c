/* bank_conflicts - a filter down the columns of an image: y[r][c] = w[0] x[r][c] + ... + w[15] x[r + 15][c], with rows of
 * 1024 floats. Rows are 4096 bytes apart, and that is the point: an L1 cache of 64 sets keeps all sixteen elements of a
 * column in one set, which has eight ways (twelve on some). A window that would be small enough by its size does not stay.
 * The shared memory of a GPU has the same trouble with its 32 banks, and the cure is the same: a pitch that is no power of
 * two. x (1.1 MiB) lies in L3. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = in->tensor[X], *w = in->tensor[W];
    double *y = to;

    (void)out;
    for (int64_t r = first; r < first + n; r++)
        for (int64_t c = 0; c < COLS; c++) {
            double sum = 0;

            for (int64_t t = 0; t < TAPS; t++)
                sum += (double)w[t] * (double)x[(r + t) * COLS + c];
            *y++ = sum;
        }
}

static const struct aisp_param params[] = {
    { "rows", 256, 7, 65536, 240, 280, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "rows + 15, 1024", { AISP_NORMAL, 0, 1 } },
    { "w", AISP_IN, AISP_F32, "16", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "rows, 1024", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "A filter down columns a power of two apart",
    .teaches = "first kernels: bank conflicts; on the CPU sets of a cache, strides that are powers of two, padding",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8192*rows + 61504",
    .flops = "~32768*rows",
    .tolerance = { .ulps = 4,
                   .length = "16",
                   .why = "a sum of 16 products, compared with the size of a row (Higham 2002, section 3.1)" },
    .reference = reference,
};
