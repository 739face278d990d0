/* optimized_simd - eight AVX2 sums: 64 elements under way at a time.
 * Expected: far below the time that the memory needs, so that the loads run as far ahead as the
 * core allows: the read roof of one core. Costs: AVX2, a tail, a horizontal sum for each row. */
#include <aisp/variant.h>

#include "problem.h"
#include "row_sum.h"

enum { LANES = 8, SUMS = 8 };

__attribute__((target("avx2"))) static float row_sum(const float *x, int64_t n)
{
    __m256 s[SUMS];
    int64_t i = 0;
    float tail = 0;

    for (int k = 0; k < SUMS; k++)
        s[k] = _mm256_setzero_ps();
    for (; i + SUMS * LANES <= n; i += SUMS * LANES)
        for (int k = 0; k < SUMS; k++)
            s[k] = _mm256_add_ps(s[k], _mm256_loadu_ps(x + i + k * LANES));
    for (; i + LANES <= n; i += LANES)
        s[0] = _mm256_add_ps(s[0], _mm256_loadu_ps(x + i));
    for (; i < n; i++)
        tail += x[i];
    for (int half = SUMS / 2; half; half /= 2)
        for (int k = 0; k < half; k++)
            s[k] = _mm256_add_ps(s[k], s[k + half]);
    return lanes_sum(s[0]) + tail;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X];
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    const int fast = __builtin_cpu_supports("avx2");
    float *y = call->tensor[Y];

    for (int64_t r = 0; r < rows; r++)
        y[r] = fast ? row_sum(x + r * cols, cols) : row_sum_portable(x + r * cols, cols);
    return AISP_OK;
}

AISP_DECLARE("idea: eight AVX2 sums, 64 elements under way\n"
             "expect: instructions / 8");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
