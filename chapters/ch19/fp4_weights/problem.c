/* fp4_weights - y = W x for one vector, as in decoding, where W is a checkpoint in 4-bit floats with an 8-bit float as scale
 * for each 16 of a row; x, y and all sums are f32.
 * Why it is interesting: the simple way to run such a checkpoint is to turn it into bf16 when it is loaded, which is exact:
 * a fraction of two bits times one of four has six bits, and bf16 holds eight. But then each product reads 16 bits a weight
 * that hold 4.5 bits of information. To read those 4.5 the code has to unpack faster than memory delivers.
 * What the format costs in quality was paid when the checkpoint was made, and is the same on both sides: normal weights
 * rounded to it, each block scaled so that its largest becomes 6, are off by 9.5 % of their size (root mean square), and so
 * is a product with a vector that knows nothing of the errors; bf16 is off by 0.17 %. */
#include <math.h>

#include <aisp/problem.h>

#include "problem.h"

/* Results that are checked together: by the size of all of them is measured what may be wrong with one. */
enum { TOGETHER = 16 };

static double small_float(int bits, int exponent_bits, int fraction_bits)
{
    const int fraction = bits & ((1 << fraction_bits) - 1);
    const int exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1);
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const double size = exponent ? ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits)
                                 : ldexp(fraction, 1 - bias - fraction_bits);

    return bits >> (exponent_bits + fraction_bits) & 1 ? -size : size;
}

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const uint8_t *w = in->tensor[W], *scale = in->tensor[SCALE];
    const float *x = in->tensor[X];
    const int64_t cols = in->param[COLS];
    double value[16], *y = to, by = 0;

    (void)out;
    for (int i = 0; i < 16; i++)
        value[i] = small_float(i, 2, 1);
    for (int64_t r = first * TOGETHER; r < (first + n) * TOGETHER; r++) {
        double sum = 0;

        for (int64_t c = 0; c < cols; c++) {
            const int byte = w[(r * cols + c) / 2], nibble = c % 2 ? byte / 16 : byte % 16;

            if (c % BLOCK == 0)
                by = small_float(scale[(r * cols + c) / BLOCK], 4, 3);
            sum += value[nibble] * by * x[c];
        }
        *y++ = sum;
    }
}

/* Columns come in whole blocks, rows in sixteens. The bf16 copy is 16 MiB: more than a core's own caches, and than its share
 * of the last. */
static const struct aisp_param params[] = {
    { "rows", 2048, 48, 8192, 1904, 2208, 16 },
    { "cols", 4096, 176, 0, 3840, 4352, 16 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "w", AISP_WEIGHT, AISP_U8, "rows, cols/2", { AISP_INTEGERS, 0, 256 } },
    { "scale", AISP_WEIGHT, AISP_F8E4M3, "rows, cols/16", { AISP_UNIFORM, 0.02, 0.08 } },
    { "x", AISP_IN, AISP_F32, "cols", { AISP_NORMAL, 0, 1 } },
    { "y", AISP_OUT, AISP_F32, "rows/16, 16", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Multiply a matrix of 4-bit floats by a vector",
    .teaches = "adaptive engines: block-scaled 4-bit weights; a short float read as a long one; bytes against instructions",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "rows*cols/2 + rows*cols/16 + 4*cols + 4*rows",
    .flops = "~2*rows*cols",
    .tolerance = { .ulps = 8,
                   .length = "cols",
                   .why = "weights are exact in f32, so it is cols products of either sign in any order: an error of about u "
                          "times the root of cols times the rms of a row (Higham and Mary 2019), of which 5 is the extreme of "
                          "some thousand rows" },
    .reference = reference,
};
