/* peer_sleef - three passes with the AVX2 exponential of SLEEF (at most 1 ulp). */
#include <aisp/variant.h>

#include "problem.h"
#include "rows_simd.h"

/* sleef.h shows this one only to code that is compiled for AVX2 throughout. */
__attribute__((target("avx2,fma"))) __m256 Sleef_expf8_u10avx2(__m256 x);

__attribute__((target("avx2,fma"))) static float row_exp_sleef(const float *x, float *y, int64_t n,
                                                               float top)
{
    const __m256 tops = _mm256_set1_ps(top);
    __m256 sum = _mm256_setzero_ps();
    float tail = 0;
    int64_t c = 0;

    for (; c + LANES <= n; c += LANES) {
        const __m256 e = Sleef_expf8_u10avx2(_mm256_sub_ps(_mm256_loadu_ps(x + c), tops));

        _mm256_storeu_ps(y + c, e);
        sum = _mm256_add_ps(sum, e);
    }
    for (; c < n; c++) {
        y[c] = expf(x[c] - top);
        tail += y[c];
    }
    return lanes_sum(sum) + tail;
}

__attribute__((target("avx2,fma"))) static void row_softmax(const float *x, float *y, int64_t cols)
{
    const float top = row_max(x, cols, x[0]);

    row_scale(y, cols, 1 / row_exp_sleef(x, y, cols, top));
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    const int fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");

    for (int64_t r = 0; r < rows; r++) {
        const float *x = (const float *)call->tensor[X] + r * cols;
        float *y = (float *)call->tensor[Y] + r * cols;

        if (fast)
            row_softmax(x, y, cols);
        else
            row_portable(x, y, cols);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: three passes with the AVX2 exponential of SLEEF\n"
             "uses: library");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
