/* gemm_ladder - C = A B in f32. The kernel with the most arithmetic a byte, so every level of the
 * memory ladder can be hidden behind the multiplier, and each rung of this target hides one more.
 * Why one call and not alpha, beta and transposes: they change nothing about the lesson. */
#include <aisp/problem.h>

#include "problem.h"

/* Dot products in f64: products of two f32 are exact there, and k of them round 2^29 times finer
 * than the tolerance. The order (one row of c, column by column) is none of the variants'. */
static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n_rows, void *to)
{
    const float *a = in->tensor[A], *b = in->tensor[B];
    const int64_t n = in->param[N], k = in->param[K];
    double *c = to;

    (void)out;
    for (int64_t i = first; i < first + n_rows; i++, c += n) {
        for (int64_t j = 0; j < n; j++)
            c[j] = 0;
        for (int64_t p = k - 1; p >= 0; p--) {
            const double a_ip = a[i * k + p];

            for (int64_t j = 0; j < n; j++)
                c[j] += a_ip * b[p * n + j];
        }
    }
}

/* The quick size has more than one block of k, in rows of whole 16 bytes, and no whole tile at any edge. */
static const struct aisp_param params[] = {
    { "m", 256, 44, 2048, 193, 319, 1 },
    { "n", 256, 84, 2048, 193, 319, 1 },
    { "k", 256, 716, 2048, 193, 319, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "a", AISP_IN, AISP_F32, "m, k", { AISP_NORMAL, 0, 1 } },
    { "b", AISP_IN, AISP_F32, "k, n", { AISP_NORMAL, 0, 1 } },
    { "c", AISP_OUT, AISP_F32, "m, n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Multiply two f32 matrices",
    .teaches = "arithmetic intensity: cache tiles, register micro-tiles, packing, SIMD; how near "
               "one core comes to its FMA peak",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*(m*k+k*n+m*n)",
    .flops = "~2*m*n*k",
    .tolerance = {
        .ulps = 4,
        .length = "k",
        .norm = 1e-5,
        .why = "sum of k products in any order: |error| <= k u |A||B| at worst (Higham 2002, "
               "eq. 3.5 and 3.13), for independent roundings about sqrt(k) u times the rms of a "
               "row, of which 4 is the extreme of many elements; norm: far above 0.5 u sqrt(k), "
               "far below a sum in bf16",
    },
    .reference = reference,
    .large_omits = "baseline, optimized_blocked",
};

/* Packing is paid once a call; what it saves grows with the matrix. */
AISP_SWEEP("m=n=k=4:128:x2");
