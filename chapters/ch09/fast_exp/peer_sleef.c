/* peer_sleef - the exponential of SLEEF, at most 1 ulp, in the widest lanes that the machine has. */
#include <immintrin.h>
#include <math.h>

#include <aisp/variant.h>

#include "problem.h"

/* sleef.h shows these only to code that is compiled for them throughout. */
__attribute__((target("avx2,fma"))) __m256 Sleef_expf8_u10avx2(__m256 x);
__attribute__((target("avx512f"))) __m512 Sleef_expf16_u10avx512f(__m512 x);

__attribute__((target("avx512f"))) static int64_t by_16(const float *x, float *y, int64_t n)
{
    int64_t i = 0;

    for (; i + 16 <= n; i += 16)
        _mm512_storeu_ps(y + i, Sleef_expf16_u10avx512f(_mm512_loadu_ps(x + i)));
    return i;
}

__attribute__((target("avx2,fma"))) static int64_t by_8(const float *x, float *y, int64_t n)
{
    int64_t i = 0;

    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(y + i, Sleef_expf8_u10avx2(_mm256_loadu_ps(x + i)));
    return i;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X];
    float *y = call->tensor[Y];
    const int64_t n = call->param[N];
    int64_t i = 0;

    if (__builtin_cpu_supports("avx512f"))
        i = by_16(x, y, n);
    else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        i = by_8(x, y, n);
    for (; i < n; i++)
        y[i] = expf(x[i]);
    return AISP_OK;
}

AISP_DECLARE("idea: SLEEF's exponential of 1 ulp, in the widest lanes of the machine\n"
             "uses: library");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
