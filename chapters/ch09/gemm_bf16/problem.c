/* gemm_bf16 - C = A B with bf16 at both ends and f32 sums between: the product that a layer of a transformer is made of.
 * Half the bytes of f32, and hardware with units for just this type, so what limits is how the operands get to them.
 * Why the output is rounded to bf16: that is what the next layer reads; the sums must not be, and the tolerance sees to it. */
#include <string.h>

#include <aisp/problem.h>

#include "problem.h"

static double from_bf16(uint16_t bits)
{
    const uint32_t wide = (uint32_t)bits << 16;
    float value;

    memcpy(&value, &wide, sizeof value);
    return value;
}

/* Products of two bf16 are exact in f64, and k of them round 2^45 times finer than the output. The order (one row of c, last
 * term first) is none of the variants'. */
static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n_rows, void *to)
{
    const uint16_t *a = in->tensor[A], *b = in->tensor[B];
    const int64_t n = in->param[N], k = in->param[K];
    double *c = to;

    (void)out;
    for (int64_t i = first; i < first + n_rows; i++, c += n) {
        for (int64_t j = 0; j < n; j++)
            c[j] = 0;
        for (int64_t p = k - 1; p >= 0; p--) {
            const double a_ip = from_bf16(a[i * k + p]);

            for (int64_t j = 0; j < n; j++)
                c[j] += a_ip * from_bf16(b[p * n + j]);
        }
    }
}

/* The quick size has rows of whole 16 bytes but no whole tiles, so that what copies tiles in bulk meets its edges there; and more
 * than one block of k and of n. */
static const struct aisp_param params[] = {
    { "m", 384, 7, 8192, 321, 449, 1 },
    { "n", 384, 1032, 8192, 321, 449, 1 },
    { "k", 384, 1032, 8192, 321, 449, 1 },
    { 0 },
};

/* 64 columns at least: the norm of the roundings of a few elements is no mean. */
static const struct aisp_tensor tensors[] = {
    { "a", AISP_IN, AISP_BF16, "m, k", { AISP_NORMAL, 0, 1 } },
    { "b", AISP_IN, AISP_BF16, "k, n", { AISP_NORMAL, 0, 1 } },
    { "c", AISP_OUT, AISP_BF16, "m, n + most(64, n) - 64", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Multiply two bf16 matrices with f32 sums",
    .teaches = "feeding matrix units: dot-product instructions, asynchronous copies, mma and wgmma, TMA with barriers, "
               "warp specialisation, persistent grids, clusters",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "2*(m*k+k*n+m*n)",
    .flops = "~2*m*n*k",
    .tolerance = {
        .ulps = 1.25,
        .norm = 2.5e-3,
        .why = "one rounding of the result to bf16: |error| <= u |c| (Higham 2002, theorem 2.2), and a quarter of u for the "
               "k roundings in f32 of any order (eq. 3.5: about sqrt(k) 2^-24, below u/700 of a row's rms at k = 8192, a "
               "few times that in matrix units that truncate); norm: a rounded result has 1.6e-3, a truncated one 3.3e-3",
    },
    .reference = reference,
    .large_omits = "baseline, optimized_widened, cuda:baseline",
};
