/* optimized_chains - eight registers, 64 elements, go through the rule side by side.
 * Expected: a chain of one register leaves the units idle for most of its 6 to 8 cycles a term; eight of them share these
 * cycles, and a coefficient is loaded once for 64 elements. 2.5x to 3x at 16 terms, 6x at 256, where the window holds no second
 * element, 1.1x at one term. The ridge moves to about terms = 5. Eight, because eight sums and eight elements are all sixteen
 * registers.
 * Costs: a larger tail. The same bits. */
#include <immintrin.h>

#include <aisp/variant.h>

#include "horner.h"
#include "problem.h"

enum { LANES = 8, CHAINS = 8, STEP = CHAINS * LANES };

__attribute__((target("avx2"))) static int64_t horner_avx2(const float *x, const float *c, float *y, int64_t n, int64_t terms)
{
    int64_t i = 0;

    for (; i + STEP <= n; i += STEP) {
        __m256 sum[CHAINS];

        for (int j = 0; j < CHAINS; j++)
            sum[j] = _mm256_broadcast_ss(c + terms);
        for (int64_t k = terms - 1; k >= 0; k--) {
            const __m256 ck = _mm256_broadcast_ss(c + k);

            for (int j = 0; j < CHAINS; j++)
                sum[j] = _mm256_add_ps(_mm256_mul_ps(sum[j], _mm256_loadu_ps(x + i + j * LANES)), ck);
        }
        for (int j = 0; j < CHAINS; j++)
            _mm256_storeu_ps(y + i + j * LANES, sum[j]);
    }
    return i;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X], *c = call->tensor[C];
    const int64_t n = call->param[N], terms = call->param[TERMS];
    float *y = call->tensor[Y];
    const int64_t done = __builtin_cpu_supports("avx2") ? horner_avx2(x, c, y, n, terms) : 0;

    horner_portable(x + done, c, y + done, n - done, terms);
    return AISP_OK;
}

AISP_DECLARE("idea: eight registers side by side, so that chains do not leave units idle\n"
             "expect: cycles / 1.5");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
