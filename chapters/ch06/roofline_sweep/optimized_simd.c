/* optimized_simd - eight elements in a register of AVX2 go through the rule together.
 * Expected: the same chain of a product and a sum, 6 to 8 cycles a term, but for eight elements, and at few terms the window of
 * the core holds several elements in both variants, so that their chains overlap alike: 6x to 8x at any number of terms. From
 * L3 its ridge is at terms = 1 or 2.
 * Costs: AVX2 and a tail. The same operations in the same order: the same bits. */
#include <immintrin.h>

#include <aisp/variant.h>

#include "horner.h"
#include "problem.h"

enum { LANES = 8 };

__attribute__((target("avx2"))) static int64_t horner_avx2(const float *x, const float *c, float *y, int64_t n, int64_t terms)
{
    int64_t i = 0;

    for (; i + LANES <= n; i += LANES) {
        const __m256 v = _mm256_loadu_ps(x + i);
        __m256 sum = _mm256_broadcast_ss(c + terms);

        for (int64_t k = terms - 1; k >= 0; k--)
            sum = _mm256_add_ps(_mm256_mul_ps(sum, v), _mm256_broadcast_ss(c + k));
        _mm256_storeu_ps(y + i, sum);
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

AISP_DECLARE("idea: eight elements in an AVX2 register\n"
             "expect: instructions / 8");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
