/* optimized_row_groups - eight rows are added to the sums in one sweep, with AVX2.
 * Expected: a sum is loaded and stored once for eight elements instead of for each, and eight rows
 * are eight streams for the prefetchers: from the rate of L1 loads and stores to the rate at which
 * x can be read. Costs: AVX2, tails. The additions are made in row order, so that even the
 * rounding is the same. */
#include <immintrin.h>

#include <aisp/variant.h>

#include "problem.h"

enum { LANES = 8, GROUP = 8 };

static void add_row(float *restrict y, const float *restrict x, int64_t n)
{
    for (int64_t c = 0; c < n; c++)
        y[c] += x[c];
}

__attribute__((target("avx2"))) static void add_group(float *y, const float *x, int64_t cols)
{
    int64_t c = 0;

    for (; c + LANES <= cols; c += LANES) {
        __m256 sum = _mm256_loadu_ps(y + c);

        for (int r = 0; r < GROUP; r++)
            sum = _mm256_add_ps(sum, _mm256_loadu_ps(x + r * cols + c));
        _mm256_storeu_ps(y + c, sum);
    }
    for (; c < cols; c++)
        for (int r = 0; r < GROUP; r++)
            y[c] += x[r * cols + c];
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X];
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    float *y = call->tensor[Y];
    int64_t r = 0;

    for (int64_t c = 0; c < cols; c++)
        y[c] = 0;
    if (__builtin_cpu_supports("avx2"))
        for (; r + GROUP <= rows; r += GROUP)
            add_group(y, x + r * cols, cols);
    for (; r < rows; r++)
        add_row(y, x + r * cols, cols);
    return AISP_OK;
}

AISP_DECLARE("idea: eight rows in one sweep over the sums, AVX2\n"
             "expect: L1 stores / 8");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
