/* optimized_row_updates - the same three loops in the order row, p, col: a row of c grows by
 * multiples of rows of b.
 * Expected: the inner loop runs along memory and has no dependent sum, so that the compiler makes
 * SIMD code of it, four lanes wide without asking for a newer CPU; 2x to 3x. Costs: c is loaded
 * and stored k times, from the L1 cache. */
#include <aisp/variant.h>

#include "problem.h"

static void multiply(const float *restrict a, const float *restrict b, float *restrict c, int64_t m,
                     int64_t n, int64_t k)
{
    for (int64_t row = 0; row < m; row++) {
        for (int64_t col = 0; col < n; col++)
            c[row * n + col] = 0;
        for (int64_t p = 0; p < k; p++)
            for (int64_t col = 0; col < n; col++)
                c[row * n + col] += a[row * k + p] * b[p * n + col];
    }
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t m = call->param[M], n = call->param[N], k = call->param[K];
    const float *a = call->tensor[A], *b = call->tensor[B];
    float *c = call->tensor[C];

    for (int64_t i = 0; i < call->param[BATCH]; i++)
        multiply(a + i * m * k, b + i * k * n, c + i * m * n, m, n, k);
    return AISP_OK;
}

AISP_DECLARE("idea: loop order row, p, col, so that the inner loop is SIMD along rows of b\n"
             "expect: instructions / 2");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
