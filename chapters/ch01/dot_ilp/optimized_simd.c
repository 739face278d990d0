/* optimized_simd - eight sums of eight lanes each with fused multiply-adds: 64 independent chains.
 * Expected: two fused operations of 8 lanes can start in each cycle and take 4, so 8 registers are
 * the least that keep both units busy; then the two loads per operation are the limit, 8 elements
 * a cycle: about 4x the four scalar chains, less where the vectors come out of L2. Costs: AVX2
 * only, a masked tail, a horizontal sum per row. */
#include <immintrin.h>

#include <aisp/variant.h>

#include "problem.h"

enum { LANES = 8, SUMS = 8 };

static float dot_portable(const float *a, const float *b, int64_t n)
{
    float s[4] = { 0 };

    for (int64_t i = 0; i < n; i++)
        s[i & 3] += a[i] * b[i];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

__attribute__((target("avx2,fma"))) static float dot_avx2(const float *a, const float *b, int64_t n)
{
    static const int32_t ones[2 * LANES] = { -1, -1, -1, -1, -1, -1, -1, -1 };
    __m256 s[SUMS];
    int64_t i = 0;

    for (int k = 0; k < SUMS; k++)
        s[k] = _mm256_setzero_ps();
    for (; i + SUMS * LANES <= n; i += SUMS * LANES)
        for (int k = 0; k < SUMS; k++)
            s[k] = _mm256_fmadd_ps(_mm256_loadu_ps(a + i + k * LANES),
                                   _mm256_loadu_ps(b + i + k * LANES), s[k]);
    for (; i + LANES <= n; i += LANES)
        s[0] = _mm256_fmadd_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i), s[0]);
    if (i < n) {
        const __m256i mask = _mm256_loadu_si256((const void *)(ones + LANES - (n - i)));

        s[1] =
            _mm256_fmadd_ps(_mm256_maskload_ps(a + i, mask), _mm256_maskload_ps(b + i, mask), s[1]);
    }
    for (int half = SUMS / 2; half; half /= 2)
        for (int k = 0; k < half; k++)
            s[k] = _mm256_add_ps(s[k], s[k + half]);

    __m128 x = _mm_add_ps(_mm256_castps256_ps128(s[0]), _mm256_extractf128_ps(s[0], 1));

    x = _mm_add_ps(x, _mm_movehl_ps(x, x));
    x = _mm_add_ss(x, _mm_shuffle_ps(x, x, 1));
    return _mm_cvtss_f32(x);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *a = call->tensor[A], *b = call->tensor[B];
    float *y = call->tensor[Y];
    const int64_t rows = call->param[ROWS], n = call->param[N];
    const int fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");

    for (int64_t r = 0; r < rows; r++)
        y[r] = fast ? dot_avx2(a + r * n, b + r * n, n) : dot_portable(a + r * n, b + r * n, n);
    return AISP_OK;
}

AISP_DECLARE("idea: eight AVX2 sums with fused multiply-adds, 64 independent chains\n"
             "expect: instructions / 10");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
