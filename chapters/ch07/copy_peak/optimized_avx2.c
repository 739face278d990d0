/* optimized_avx2 - 32-byte loads and stores, four lines in each step.
 * Expected: half the instructions, and nearly nothing: 0.9x to 1.1x. The loop waits for memory either way, and every line of y
 * is still read before it is written. It is here so that this can be seen; set n=2000 for the size where it does help.
 * Costs: AVX2 and a tail. */
#include <immintrin.h>

#include <aisp/variant.h>

#include "problem.h"

enum { LANES = 8, STEP = 8 * LANES };

__attribute__((target("avx2"))) static int64_t copy_avx2(const float *x, float *y, int64_t n)
{
    int64_t i = 0;

    for (; i + STEP <= n; i += STEP)
        for (int k = 0; k < STEP; k += LANES)
            _mm256_storeu_ps(y + i + k, _mm256_loadu_ps(x + i + k));
    return i;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X];
    const int64_t n = call->param[N];
    float *y = call->tensor[Y];

    for (int64_t i = __builtin_cpu_supports("avx2") ? copy_avx2(x, y, n) : 0; i < n; i++)
        y[i] = x[i];
    return AISP_OK;
}

AISP_DECLARE("idea: AVX2, eight lanes per instruction\n"
             "expect: instructions / 2");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
