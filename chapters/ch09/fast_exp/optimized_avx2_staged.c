/* optimized_avx2_staged - four vectors go through the polynomial side by side, step by step, instead of one after another.
 * Expected: one vector is a chain of some 45 cycles with about 22 operations, and the machine looks only some 60 operations
 * ahead: it sees three chains at once. Side by side all that it sees can start: up to 1.5x over optimized_avx2, less where
 * the L2 is the limit. The operations are the same.
 * Costs: four times the code, all sixteen registers, constants out of memory. */
#include <aisp/variant.h>

#include "exp_avx2.h"
#include "problem.h"

enum { SIDE_BY_SIDE = 4, LANES = 8, STEP = SIDE_BY_SIDE * LANES };

#define EACH for (int k = 0; k < SIDE_BY_SIDE; k++)

AVX2 void exp_staged(const float *x, float *y)
{
    const __m256i bias = _mm256_set1_epi32(127);
    __m256 n[SIDE_BY_SIDE], r[SIDE_BY_SIDE], q[SIDE_BY_SIDE];

    EACH r[k] = _mm256_max_ps(_mm256_set1_ps(LOWEST), _mm256_loadu_ps(x + k * LANES));
    EACH r[k] = _mm256_min_ps(_mm256_set1_ps(HIGHEST), r[k]);
    EACH n[k] = _mm256_mul_ps(r[k], _mm256_set1_ps(LOG2E));
    EACH n[k] = _mm256_round_ps(n[k], _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    EACH r[k] = _mm256_fnmadd_ps(n[k], _mm256_set1_ps(LN2_HIGH), r[k]);
    EACH r[k] = _mm256_fnmadd_ps(n[k], _mm256_set1_ps(LN2_LOW), r[k]);
    EACH q[k] = _mm256_fmadd_ps(_mm256_set1_ps(Q4), r[k], _mm256_set1_ps(Q3));
    EACH q[k] = _mm256_fmadd_ps(q[k], r[k], _mm256_set1_ps(Q2));
    EACH q[k] = _mm256_fmadd_ps(q[k], r[k], _mm256_set1_ps(Q1));
    EACH q[k] = _mm256_fmadd_ps(q[k], r[k], _mm256_set1_ps(Q0));
    EACH q[k] = _mm256_fmadd_ps(_mm256_mul_ps(r[k], r[k]), q[k], r[k]);
    EACH q[k] = _mm256_add_ps(_mm256_set1_ps(1), q[k]);
    EACH {
        const __m256i whole = _mm256_cvtps_epi32(n[k]), half = _mm256_srai_epi32(whole, 1);
        const __m256i other = _mm256_sub_epi32(whole, half);

        q[k] = _mm256_mul_ps(q[k], _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(half, bias), 23)));
        q[k] = _mm256_mul_ps(q[k], _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(other, bias), 23)));
    }
    EACH _mm256_storeu_ps(y + k * LANES, q[k]);
}

__attribute__((target("avx2,fma"))) static void all_avx2(const float *x, float *y, int64_t n)
{
    int64_t i = 0;

    for (; i + STEP <= n; i += STEP)
        exp_staged(x + i, y + i);
    exp_avx2(x + i, y + i, n - i);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X];
    float *y = call->tensor[Y];
    const int64_t n = call->param[N];

    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        all_avx2(x, y, n);
        return AISP_OK;
    }
    exp_portable(x, y, n);
    return AISP_OK;
}

AISP_DECLARE("idea: four vectors side by side through each step, so that their chains overlap\n"
             "expect: cycles / 6");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
