/* double_buffer - rows of a large table, picked at random, times a small matrix: y[i] = table[row of pick[i]] * w, with 16
 * outputs a row. So is an embedding with its projection, or a sparse product. A tile of rows is first packed, which waits
 * for memory (four lines of a table of 64 MiB, somewhere), then multiplied, which waits for nothing but the arithmetic
 * units: about as long. One after the other they take the sum of both times; with the loading of one tile under the
 * computing of another they take the longer.
 * The table and w are weights: they keep their contents, the picks are new in each call. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t width = in->param[WIDTH];
    const float *w = in->tensor[W];
    const int32_t *pick = in->tensor[PICK];
    double *y = to;

    (void)out;
    for (int64_t i = first; i < first + n; i++) {
        const float *row = (const float *)in->tensor[TABLE] + row_of(pick[i], in->param[ROWS]) * width;

        for (int64_t o = 0; o < OUTPUTS; o++) {
            double sum = 0;

            for (int64_t k = 0; k < width; k++)
                sum += (double)row[k] * (double)w[k * OUTPUTS + o];
            *y++ = sum;
        }
    }
}

static const struct aisp_param params[] = {
    { "rows", 262144, 1021, 0, 250000, 280000, 1 },
    { "width", 64, 19, 0, 60, 68, 1 },
    { "picks", 32768, 203, 0, 31000, 36000, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "table", AISP_WEIGHT, AISP_F32, "rows, width", { AISP_NORMAL, 0, 1 } },
    { "w", AISP_WEIGHT, AISP_F32, "width, 16", { AISP_NORMAL, 0, 1 } },
    { "pick", AISP_IN, AISP_I32, "picks", { AISP_INTEGERS, 0, 2147483648.0 } },
    { "y", AISP_OUT, AISP_F32, "picks, 16", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Multiply picked rows of a table",
    .teaches = "software pipelining: loading under computing, two buffers, three stages",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    /* Picks may name the same row, and the last cache may hold a part of the table: half a row for a pick moves for certain. */
    .bytes = "2*width*min(picks, rows) + 4*picks + 64*picks",
    .flops = "32*picks*width",
    .tolerance = { .ulps = 4, .length = "width", .why = "a sum of width products in any order (Higham 2002, 3.5)" },
    .reference = reference,
};
