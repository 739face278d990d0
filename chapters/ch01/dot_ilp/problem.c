/* dot_ilp - y[r] = sum over i of a[r][i] * b[r][i], all of it in the caches.
 * Many rows instead of one long vector: a row of the truth is cheap, and a wrong sum of 2048 terms
 * stands out of the tolerance by three orders of magnitude, which one sum of a million terms would
 * not. The data are 1 MiB: no variant waits for memory, so what is compared is the chain of
 * additions. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t len = in->param[N];
    const float *a = in->tensor[A], *b = in->tensor[B];
    double *y = to;

    (void)out;
    for (int64_t r = first; r < first + n; r++) {
        double sum = 0;

        /* A product of two f32 is exact in f64. */
        for (int64_t i = r * len; i < (r + 1) * len; i++)
            sum += (double)a[i] * (double)b[i];
        *y++ = sum;
    }
}

static const struct aisp_param params[] = {
    { "rows", 64, 5, 0, 40, 80, 1 },
    { "n", 2048, 77, 0, 1500, 2600, 1 },
    { 0 },
};

/* Positive terms: the sum is far from zero, and its error is small beside it. */
static const struct aisp_tensor tensors[] = {
    { "a", AISP_IN, AISP_F32, "rows, n", { AISP_UNIFORM, 0.5, 1.5 } },
    { "b", AISP_IN, AISP_F32, "rows, n", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "rows", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Dot products of cached vectors",
    .teaches = "performance basics: instruction-level parallelism; latency of a dependent chain "
               "against throughput",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*rows*n + 4*rows",
    .flops = "2*rows*n",
    .tolerance = { .ulps = 2,
                   .length = "n + 2",
                   .why = "n products summed one after another; rounding errors of either sign "
                          "grow as sqrt(n) (Higham and Mary 2019), one product and one sum even "
                          "for n = 1" },
    .reference = reference,
};

/* Lanes and several sums have to be added up at the end, also of a short row. */
AISP_SWEEP("n=2:2048:x4");
