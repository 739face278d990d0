/* small_gemm - c[i] = a[i] b[i] for a batch of small matrices, each too small to pay for a
 * library's preparations.
 * All fits the L3 cache: what is compared is the work around each multiplication, not the memory.
 */
#include <aisp/problem.h>

#include "problem.h"

/* A row of the output is one matrix of the batch. */
static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n_rows, void *to)
{
    const int64_t m = in->param[M], n = in->param[N], k = in->param[K];
    const float *a = in->tensor[A], *b = in->tensor[B];
    double *c = to;

    (void)out;
    for (int64_t i = first; i < first + n_rows; i++)
        for (int64_t row = 0; row < m; row++)
            for (int64_t col = 0; col < n; col++) {
                double sum = 0;

                for (int64_t p = 0; p < k; p++)
                    sum += (double)a[(i * m + row) * k + p] * (double)b[(i * k + p) * n + col];
                *c++ = sum;
            }
}

static const struct aisp_param params[] = {
    { "batch", 1024, 7, 8192, 900, 1200, 1 },
    { "m", 16, 5, 0, 12, 20, 1 },
    { "n", 16, 19, 0, 12, 20, 1 },
    { "k", 16, 9, 0, 12, 20, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "a", AISP_IN, AISP_F32, "batch, m, k", { AISP_UNIFORM, -1, 1 } },
    { "b", AISP_IN, AISP_F32, "batch, k, n", { AISP_UNIFORM, -1, 1 } },
    { "c", AISP_OUT, AISP_F32, "batch, m, n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Many small matrix products",
    .teaches = "performance basics: amortising the cost of a call over a batch; register tiles",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*batch*(m*k + k*n + m*n)",
    .flops = "~2*batch*m*n*k",
    .tolerance = { .ulps = 5,
                   .length = "k",
                   .why = "sum of k products, errors of either sign: u*sqrt(k) of the size of a "
                          "typical sum; 5 covers the largest of many million elements (Higham "
                          "2002, section 3.1 gives the worst case k*u)" },
    .reference = reference,
};

/* Tiles of registers pay where a matrix fills one. */
AISP_SWEEP("m=n=k=2:16:x2");
