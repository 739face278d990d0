/* optimized_avx512 - three passes as optimized_simd_exp, with sixteen lanes and the exponential whose powers of 2 are in a
 * register (kit/exp16.h).
 * Expected: the exponential is most of the time of a row that stays near, and takes 12 operations for sixteen elements instead
 * of about 18 for eight: 1.6x to 2x over optimized_simd_exp while a row is in L2, less where memory is the limit.
 * Costs: AVX-512F and DQ; elsewhere this is optimized_simd_exp. */
#include <aisp/variant.h>

#include "kit/exp16.h"
#include "problem.h"
#include "rows_simd.h"

enum { WIDE = 16, SIDE_BY_SIDE = 4 };

#define AVX512 __attribute__((target("avx512f,avx512dq"), always_inline)) static inline

AVX512 __mmask16 first(int64_t n)
{
    return (__mmask16)(n >= WIDE ? 0xffff : (1u << n) - 1);
}

AVX512 float max_of_row(const float *x, int64_t n)
{
    __m512 top[SIDE_BY_SIDE];
    int64_t c = 0;

    for (int k = 0; k < SIDE_BY_SIDE; k++)
        top[k] = _mm512_set1_ps(x[0]);
    for (; c + SIDE_BY_SIDE * WIDE <= n; c += SIDE_BY_SIDE * WIDE)
        for (int k = 0; k < SIDE_BY_SIDE; k++)
            top[k] = _mm512_max_ps(top[k], _mm512_loadu_ps(x + c + k * WIDE));
    for (; c < n; c += WIDE)
        top[0] = _mm512_mask_max_ps(top[0], first(n - c), top[0], _mm512_maskz_loadu_ps(first(n - c), x + c));
    return _mm512_reduce_max_ps(_mm512_max_ps(_mm512_max_ps(top[0], top[1]), _mm512_max_ps(top[2], top[3])));
}

/* y = exp(x - top); returns their sum. */
AVX512 float exp_of_row(const float *x, float *y, int64_t n, float top)
{
    const __m512 tops = _mm512_set1_ps(top);
    __m512 sum[SIDE_BY_SIDE];
    int64_t c = 0;

    for (int k = 0; k < SIDE_BY_SIDE; k++)
        sum[k] = _mm512_setzero_ps();
    for (; c + SIDE_BY_SIDE * WIDE <= n; c += SIDE_BY_SIDE * WIDE)
        for (int k = 0; k < SIDE_BY_SIDE; k++) {
            const __m512 e = exp16(_mm512_sub_ps(_mm512_loadu_ps(x + c + k * WIDE), tops));

            _mm512_storeu_ps(y + c + k * WIDE, e);
            sum[k] = _mm512_add_ps(sum[k], e);
        }
    for (; c < n; c += WIDE) {
        const __m512 e = exp16(_mm512_sub_ps(_mm512_maskz_loadu_ps(first(n - c), x + c), tops));

        _mm512_mask_storeu_ps(y + c, first(n - c), e);
        sum[0] = _mm512_mask_add_ps(sum[0], first(n - c), sum[0], e);
    }
    return _mm512_reduce_add_ps(_mm512_add_ps(_mm512_add_ps(sum[0], sum[1]), _mm512_add_ps(sum[2], sum[3])));
}

AVX512 void scale_row(float *y, int64_t n, float factor)
{
    const __m512 factors = _mm512_set1_ps(factor);

    for (int64_t c = 0; c < n; c += WIDE) {
        const __mmask16 there = first(n - c);

        _mm512_mask_storeu_ps(y + c, there, _mm512_mul_ps(_mm512_maskz_loadu_ps(there, y + c), factors));
    }
}

__attribute__((target("avx512f,avx512dq"))) static void row_avx512(const float *x, float *y, int64_t cols)
{
    scale_row(y, cols, 1 / exp_of_row(x, y, cols, max_of_row(x, cols)));
}

__attribute__((target("avx2,fma"))) static void row_avx2(const float *x, float *y, int64_t cols)
{
    row_scale(y, cols, 1 / row_exp(x, y, cols, row_max(x, cols, x[0])));
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    const int has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    void (*const one)(const float *, float *, int64_t) = has_exp16() ? row_avx512 : has_avx2 ? row_avx2 : row_portable;

    for (int64_t r = 0; r < rows; r++)
        one((const float *)call->tensor[X] + r * cols, (float *)call->tensor[Y] + r * cols, cols);
    return AISP_OK;
}

AISP_DECLARE("idea: sixteen lanes and an exponential with powers of 2 from a register (AVX-512)\n"
             "expect: instructions / 40 where there is AVX-512");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
