/* roofline_floor - as near to the roof as a kernel gets.
 *
 * @problem affine
 * @pairs 2
 * @calibration peaks */
#include <immintrin.h>

#include <aisp/variant.h>

__attribute__((target("avx2"))) static void wide(const float *x, float *y, int64_t n)
{
    const __m256 one = _mm256_set1_ps(1.0f);
    int64_t i = 0;

    for (; i + 8 <= n; i += 8) {
        const __m256 v = _mm256_loadu_ps(x + i);

        _mm256_storeu_ps(y + i, _mm256_add_ps(_mm256_add_ps(v, v), one));
    }
    for (; i < n; i++)
        y[i] = 2.0f * x[i] + 1.0f;
}

static void narrow(const float *x, float *y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = 2.0f * x[i] + 1.0f;
}

static enum aisp_status run(const struct aisp_call *c)
{
    (__builtin_cpu_supports("avx2") ? wide : narrow)(c->tensor[0], c->tensor[1], c->param[0]);
    return AISP_OK;
}

AISP_DECLARE("idea: eight at a time");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
