/* optimized_rows_simd - the same two loops with four AVX2 sums of squares, 32 independent chains.
 * Expected: the chain of additions, 3 cycles an element, was most of the time; without it a row takes what memory takes to
 * bring 8 bytes an element, to fetch 8 and to write 8: 1.5 to 3x over optimized_rows.
 * Costs: AVX2; another order of summation, with smaller errors. */
#include <aisp/variant.h>

#include "rows_avx2.h"

__attribute__((target("avx2,fma"))) static void row_avx2(const struct row *w)
{
    const float factor = factor_of(row_squares(w, w->h), w->cols);
    const __m256 factors = _mm256_set1_ps(factor);
    int64_t c = 0;

    for (; c + LANES <= w->cols; c += LANES) {
        const __m256 v = _mm256_mul_ps(_mm256_loadu_ps(w->h + c), factors);

        _mm256_storeu_ps(w->y + c, _mm256_mul_ps(v, _mm256_loadu_ps(w->g + c)));
    }
    for (; c < w->cols; c++)
        w->y[c] = w->h[c] * factor * w->g[c];
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    const int fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    struct row w = { call->tensor[X], call->tensor[R], call->tensor[G], call->tensor[H], call->tensor[Y], cols };

    for (int64_t i = 0; i < rows; i++, w.x += cols, w.r += cols, w.h += cols, w.y += cols) {
        if (fast)
            row_avx2(&w);
        else
            row_portable(&w);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: two loops over each row with 32 independent sums of squares\n"
             "expect: cycles / 2");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
