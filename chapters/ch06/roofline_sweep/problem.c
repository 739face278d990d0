/* roofline_sweep - y[i] = c[0] + c[1] x[i] + ... + c[terms] x[i]^terms: one kernel whose arithmetic intensity is a
 * parameter. An element is 8 bytes of traffic and 2 terms of work, so the intensity is terms/4 flops a byte: terms = 1 is
 * 1/4, terms = 256 is 64. Run it at several: while the time does not depend on terms, bytes are the limit; from where it
 * grows in proportion, the processor is. Where that happens is no property of the machine alone, but of the variant: scalar
 * code never comes to the roof, and each rung moves the ridge further to the right. x and y are 2 MiB together, which is L3;
 * n=8388608 is DRAM, where every ridge lies two to three times as far. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = in->tensor[X], *c = in->tensor[C];
    double *y = to;

    (void)out;
    for (int64_t i = first; i < first + n; i++) {
        double power = 1, sum = 0;

        /* Term by term from below; the variants go from above. */
        for (int64_t k = 0; k <= in->param[TERMS]; k++, power *= (double)x[i])
            sum += (double)c[k] * power;
        *y++ = sum;
    }
}

/* quick: beyond 15 bits, so that an index that was kept in too few is lost at once. */
static const struct aisp_param params[] = {
    { "n", 262144, 40003, 0, 250000, 280000, 1 },
    { "terms", 16, 5, 0, 14, 18, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "n", { AISP_UNIFORM, 0.5, 1 } },
    { "c", AISP_IN, AISP_F32, "terms + 1", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "A polynomial of any arithmetic intensity",
    .teaches = "first kernels: the roofline, where a kernel leaves it, and what moves that point: SIMD, chains, fusion",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*n + 4*terms + 4",
    .flops = "~2*terms*n",
    .tolerance = { .ulps = 4,
                   .length = "terms + 1",
                   .why = "terms products and terms sums of one sign, each rounded; rounding errors of either sign grow as the "
                          "square root of their number (Higham and Mary 2019)" },
    .reference = reference,
};
