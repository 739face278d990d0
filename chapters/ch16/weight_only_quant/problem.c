/* weight_only_quant - y = W x for one vector, as in decoding, where W is stored in four bits a weight with an f32 scale for
 * each 32 of a row; x, y and all sums are f32.
 * Why it is interesting: a product with one vector uses each weight once, so its time is the time to read W. Four bits and a
 * scale are 5 bits a weight instead of 32, but only for code that unpacks faster than memory delivers; unpacked one by one
 * they are slower than the f32 weights they came from. The quantised weights are given: every variant computes the same
 * function. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const uint8_t *w = in->tensor[W];
    const float *scale = in->tensor[SCALE], *x = in->tensor[X];
    const int64_t cols = in->param[COLS];
    double *y = to;

    (void)out;
    for (int64_t r = first; r < first + n; r++) {
        double sum = 0;

        for (int64_t c = 0; c < cols; c++) {
            const int byte = w[(r * cols + c) / 2], nibble = c % 2 ? byte / 16 : byte % 16;

            sum += (nibble - ZERO) * (double)scale[(r * cols + c) / GROUP] * x[c];
        }
        *y++ = sum;
    }
}

/* Columns come in whole groups. */
static const struct aisp_param params[] = {
    { "rows", 1536, 37, 8192, 1400, 1700, 1 },
    { "cols", 4096, 160, 0, 3840, 4352, 32 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "w", AISP_WEIGHT, AISP_U8, "rows, cols/2", { AISP_INTEGERS, 0, 256 } },
    { "scale", AISP_WEIGHT, AISP_F32, "rows, cols/32", { AISP_UNIFORM, 0.01, 0.03 } },
    { "x", AISP_IN, AISP_F32, "cols", { AISP_NORMAL, 0, 1 } },
    { "y", AISP_OUT, AISP_F32, "rows", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Multiply a 4-bit matrix by a vector",
    .teaches = "inference: weight-only quantisation; unpacking at the speed of memory; scales out of the inner loop",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "rows*cols/2 + rows*cols/8 + 4*cols + 4*rows",
    .flops = "~2*rows*cols",
    .tolerance = { .ulps = 8,
                   .length = "cols",
                   .why = "cols products of either sign in any order: an error of about u times the root of cols times the "
                          "rms of a row (Higham and Mary 2019), of which 5 is the extreme of some thousand rows; 8 lets a "
                          "sum take the offset of the nibbles off at its end" },
    .reference = reference,
};
