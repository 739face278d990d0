/* optimized_fused - a product and a sum are one instruction.
 * Expected: a chain of 4 cycles a term instead of 6 or more, so that eight registers now fill both units that fuse: eight of
 * them in 4 to 5 cycles, where optimized_chains needs 6 to 7. 1.3x to 1.6x at 16 terms and more, nothing below 6. (Not 2x where
 * products and sums have units of their own, as on Zen; up to 2x where they share them.) The ridge moves to about terms = 8:
 * the roof of one AVX2 core.
 * Costs: FMA; a sum is rounded once where it was twice, so that results differ in the last bits and are a little better. */
#include <immintrin.h>

#include <aisp/variant.h>

#include "horner.h"
#include "problem.h"

enum { LANES = 8, CHAINS = 8, STEP = CHAINS * LANES };

__attribute__((target("avx2,fma"))) static int64_t horner_fma(const float *x, const float *c, float *y, int64_t n,
                                                              int64_t terms)
{
    int64_t i = 0;

    for (; i + STEP <= n; i += STEP) {
        __m256 sum[CHAINS];

        for (int j = 0; j < CHAINS; j++)
            sum[j] = _mm256_broadcast_ss(c + terms);
        for (int64_t k = terms - 1; k >= 0; k--) {
            const __m256 ck = _mm256_broadcast_ss(c + k);

            for (int j = 0; j < CHAINS; j++)
                sum[j] = _mm256_fmadd_ps(sum[j], _mm256_loadu_ps(x + i + j * LANES), ck);
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
    const int fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    float *y = call->tensor[Y];
    const int64_t done = fast ? horner_fma(x, c, y, n, terms) : 0;

    horner_portable(x + done, c, y + done, n - done, terms);
    return AISP_OK;
}

AISP_DECLARE("idea: fused products and sums, eight registers side by side\n"
             "expect: floating operations / 2");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
