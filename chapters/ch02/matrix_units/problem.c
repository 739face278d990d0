/* matrix_units - C = A B with bf16 in and f32 out: what a unit that multiplies matrices is worth
 * against one that multiplies numbers.
 * All variants get the same bf16 inputs, sum in f32 and give f32, so that the unit is all that
 * differs: a product of two bf16 is exact in f32, and a plain f32 FMA on widened values is one of
 * the variants. Inputs of f32 rounded to bf16 or TF32 on the way would be another answer, and so
 * another target.
 * Not here: how fast such a unit can be fed (ch09:gemm_bf16). */
#include <aisp/problem.h>

#include "problem.h"

/* Dot products in f64: products of two bf16 are exact there. From the last k to the first, which is
 * no variant's order. */
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
            const double a_ip = bf16_to_f32(a[i * k + p]);

            for (int64_t j = 0; j < n; j++)
                c[j] += a_ip * (double)bf16_to_f32(b[p * n + j]);
        }
    }
}

/* quick: k is more than one block. */
static const struct aisp_param params[] = {
    { "m", 256, 70, 4096, 193, 319, 1 },
    { "n", 256, 93, 4096, 193, 319, 1 },
    { "k", 256, 419, 4096, 193, 319, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "a", AISP_IN, AISP_BF16, "m, k", { AISP_NORMAL, 0, 1 } },
    { "b", AISP_IN, AISP_BF16, "k, n", { AISP_NORMAL, 0, 1 } },
    { "c", AISP_OUT, AISP_F32, "m, n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Multiply two bf16 matrices with f32 sums",
    .teaches = "what a matrix unit does for the same operands: widened multiply-adds against dot "
               "product instructions (CPU) and tensor cores (GPU)",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "2*(m*k+k*n)+4*m*n",
    .flops = "~2*m*n*k",
    .tolerance = {
        .ulps = 4,
        .length = "k+k*k/256",
        .why = "products are exact; k independent roundings to nearest make about sqrt(k) u of the "
               "rms of a row, of which 4 is the extreme of many elements. Matrix units round each "
               "sum of 16 products towards zero: k/16 errors of one sign, which the second term "
               "adds (Fasi et al. 2021, Numerical behavior of NVIDIA tensor cores)",
    },
    .reference = reference,
    .large_omits = "baseline",
};

/* A matrix smaller than the unit's tile is all edge. */
AISP_SWEEP("m=n=k=2:32:x2");
