/* optimized_avx2 - eight lanes per instruction instead of four.
 * Expected: half the instructions, but 1.1x at most as long as the vectors come from
 * DRAM: the loop waits for memory either way. It is here so that this can be seen; set n=2000 for
 * the size where it does help.
 * Costs: AVX2 and a tail. */
#include <immintrin.h>

#include <aisp/variant.h>

#include "problem.h"

enum { LANES = 8 };

__attribute__((target("avx2"))) static int64_t add_avx2(const float *x, const float *y, float *z,
                                                        int64_t n)
{
    int64_t i = 0;

    for (; i + 2 * LANES <= n; i += 2 * LANES) {
        const __m256 a = _mm256_add_ps(_mm256_loadu_ps(x + i), _mm256_loadu_ps(y + i));
        const __m256 b =
            _mm256_add_ps(_mm256_loadu_ps(x + i + LANES), _mm256_loadu_ps(y + i + LANES));

        _mm256_storeu_ps(z + i, a);
        _mm256_storeu_ps(z + i + LANES, b);
    }
    return i;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X], *y = call->tensor[Y];
    const int64_t n = call->param[N];
    float *z = call->tensor[Z];

    for (int64_t i = __builtin_cpu_supports("avx2") ? add_avx2(x, y, z, n) : 0; i < n; i++)
        z[i] = x[i] + y[i];
    return AISP_OK;
}

AISP_DECLARE("idea: AVX2, eight lanes per instruction\n"
             "expect: instructions / 2");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
