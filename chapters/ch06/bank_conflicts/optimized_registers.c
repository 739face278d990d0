/* optimized_registers - four rows of y at once: an element of x is loaded once for the four sums that want it, and from x
 * itself.
 * Expected: 19 lines for four rows of y instead of 64, so that what the one set throws away is hardly missed, and there is no
 * copy; 6 loads for two registers in four rows, where single rows have 12: 1.2x to 1.4x over optimized_simd. The best cure of a
 * conflict is an access that is not made; padding is for what registers cannot hold.
 * Costs: code for the first and last three rows of x, whose elements have fewer than four sums. */
#include <aisp/variant.h>

#include "filter.h"
#include "problem.h"

enum { GROUP = 4 };

/* Adds row k of x, of GROUP + TAPS - 1, to those of the sums that have a tap for it: k - j for row j. */
AVX2 void add_row(const float *x, const float *w, int k, __m256 a[GROUP], __m256 b[GROUP])
{
    const __m256 u = _mm256_loadu_ps(x), v = _mm256_loadu_ps(x + LANES);

    for (int j = 0; j < GROUP; j++)
        if (k - j >= 0 && k - j < TAPS) {
            const __m256 wt = _mm256_broadcast_ss(w + k - j);

            a[j] = _mm256_add_ps(a[j], _mm256_mul_ps(wt, u));
            b[j] = _mm256_add_ps(b[j], _mm256_mul_ps(wt, v));
        }
}

AVX2 void filter_group(const float *x, const float *w, float *y)
{
    for (int64_t c = 0; c < COLS; c += 2 * LANES) {
        __m256 a[GROUP], b[GROUP];

        for (int j = 0; j < GROUP; j++)
            a[j] = b[j] = _mm256_setzero_ps();
        for (int k = 0; k < GROUP - 1; k++)
            add_row(x + k * COLS + c, w, k, a, b);
        for (int k = GROUP - 1; k < TAPS; k++)
            add_row(x + k * COLS + c, w, k, a, b);
        for (int k = TAPS; k < TAPS + GROUP - 1; k++)
            add_row(x + k * COLS + c, w, k, a, b);
        for (int j = 0; j < GROUP; j++) {
            _mm256_storeu_ps(y + j * COLS + c, a[j]);
            _mm256_storeu_ps(y + j * COLS + c + LANES, b[j]);
        }
    }
}

__attribute__((target("avx2"))) static void filter_avx2(const float *x, const float *w, float *y, int64_t rows)
{
    int64_t r = 0;

    for (; r + GROUP <= rows; r += GROUP)
        filter_group(x + r * COLS, w, y + r * COLS);
    for (; r < rows; r++)
        filter_row(x + r * COLS, COLS, w, y + r * COLS, COLS);
}

static enum aisp_status run(const struct aisp_call *call)
{
    if (__builtin_cpu_supports("avx2"))
        filter_avx2(call->tensor[X], call->tensor[W], call->tensor[Y], call->param[ROWS]);
    else
        filter_all_portable(call->tensor[X], call->tensor[W], call->tensor[Y], call->param[ROWS]);
    return AISP_OK;
}

AISP_DECLARE("idea: four rows at once, an element is loaded once for four sums\n"
             "expect: L1 loads / 2");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
