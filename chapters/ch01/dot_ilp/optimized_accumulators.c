/* optimized_accumulators - four running sums that do not wait for each other, so that additions
 * overlap in the pipeline.
 * Expected: an addition takes 3 or 4 cycles but one or two can start in each; four chains are
 * worth up to 4x.
 * Costs: another order of summation (the error does not grow, the bits change) and a tail. */
#include <aisp/variant.h>

#include "problem.h"

enum { CHAINS = 4 };

static float dot(const float *a, const float *b, int64_t n)
{
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int64_t i = 0;

    for (; i + CHAINS <= n; i += CHAINS) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    for (; i < n; i++)
        s0 += a[i] * b[i];
    return (s0 + s1) + (s2 + s3);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *a = call->tensor[A], *b = call->tensor[B];
    float *y = call->tensor[Y];
    const int64_t rows = call->param[ROWS], n = call->param[N];

    for (int64_t r = 0; r < rows; r++)
        y[r] = dot(a + r * n, b + r * n, n);
    return AISP_OK;
}

AISP_DECLARE("idea: four independent running sums overlap the latency of the addition\n"
             "expect: cycles / 3");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
