/* gemm_int8 - C = A B with bytes at one end and 32-bit sums at the other: unsigned activations times signed weights, as a
 * quantised layer computes it before its scales. A quarter of the bytes of f32, and instructions with four products a lane.
 * Every sum is exact, so that a variant is right in each bit or wrong: the instruction of AVX2 that multiplies bytes saturates
 * its pairs of products at 16 bits, 255 * 127 * 2 does not fit, and whoever takes it is found out.
 * Not here: scales, zero points, and what quantisation loses. */
#include <aisp/problem.h>

#include "problem.h"

/* |c| <= 66311 * 255 * 127 < 2^31: that is the bound of k. The order (one row of c, last term first) is none of the variants'. */
static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n_rows, void *to)
{
    const uint8_t *a = in->tensor[A];
    const int8_t *b = in->tensor[B];
    const int64_t n = in->param[N], k = in->param[K];
    int64_t *c = to;

    (void)out;
    for (int64_t i = first; i < first + n_rows; i++, c += n) {
        for (int64_t j = 0; j < n; j++)
            c[j] = 0;
        for (int64_t p = k - 1; p >= 0; p--) {
            const int64_t a_ip = a[i * k + p];

            for (int64_t j = 0; j < n; j++)
                c[j] += a_ip * b[p * n + j];
        }
    }
}

/* The quick size has more than one block of k and of n, and no whole tile, pair or quadruple at any edge. */
static const struct aisp_param params[] = {
    { "m", 384, 17, 8192, 321, 449, 1 },
    { "n", 384, 1053, 8192, 321, 449, 1 },
    { "k", 384, 2055, 8192, 321, 449, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "a", AISP_IN, AISP_U8, "m, most(k, 66311)", { AISP_INTEGERS, 0, 256 } },
    { "b", AISP_IN, AISP_I8, "k, n", { AISP_INTEGERS, -127, 128 } },
    { "c", AISP_OUT, AISP_I32, "m, n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Multiply two matrices of bytes with 32-bit sums",
    .teaches = "low precision: 8-bit dot-product instructions, packing for them, exact integer sums",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "m*k + k*n + 4*m*n",
    .flops = "~2*m*n*k",
    .tolerance = { .ulps = 0, .why = "sums of whole numbers below 2^31 are exact in any order" },
    .reference = reference,
};
