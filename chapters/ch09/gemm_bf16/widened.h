/* widened.h - the kernel of optimized_widened, in a header because optimized_avx512bf16 falls back to it on other CPUs.
 * Operands are widened to f32 while they are packed: rows of a in groups of ROWS, columns of b in panels of COLUMNS, both in
 * the order in which the micro-kernel reads them, whose ROWS x COLUMNS sums stay in registers. What overhangs is packed as
 * zeros. */
#ifndef GEMM_BF16_WIDENED_H
#define GEMM_BF16_WIDENED_H

#include <immintrin.h>

#include <aisp/variant.h>

#include "bf16.h"
#include "problem.h"

enum { WIDE_ROWS = 6, WIDE_COLUMNS = 16, WIDE_BLOCK = 16 * WIDE_ROWS }; /* 12 of 16 ymm are sums; a panel of b serves a block */

typedef void widened_kernel(const float *a, const float *b, int64_t k, float (*sum)[WIDE_COLUMNS]);

static void widened_portable(const float *a, const float *b, int64_t k, float (*sum)[WIDE_COLUMNS])
{
    memset(sum, 0, WIDE_ROWS * sizeof *sum);
    for (int64_t p = 0; p < k; p++, a += WIDE_ROWS, b += WIDE_COLUMNS)
        for (int r = 0; r < WIDE_ROWS; r++)
            for (int j = 0; j < WIDE_COLUMNS; j++)
                sum[r][j] += a[r] * b[j];
}

__attribute__((target("avx2,fma"))) static void widened_avx2(const float *a, const float *b, int64_t k,
                                                             float (*sum)[WIDE_COLUMNS])
{
    __m256 left[WIDE_ROWS], right[WIDE_ROWS];

#pragma GCC unroll 6     /* here too: sums with a run-time index would be kept in memory */
    for (int r = 0; r < WIDE_ROWS; r++)
        left[r] = right[r] = _mm256_setzero_ps();
    for (int64_t p = 0; p < k; p++, a += WIDE_ROWS, b += WIDE_COLUMNS) {
        const __m256 b_left = _mm256_loadu_ps(b), b_right = _mm256_loadu_ps(b + 8);

#pragma GCC unroll 6
        for (int r = 0; r < WIDE_ROWS; r++) {
            const __m256 a_r = _mm256_broadcast_ss(a + r);

            left[r] = _mm256_fmadd_ps(a_r, b_left, left[r]);
            right[r] = _mm256_fmadd_ps(a_r, b_right, right[r]);
        }
    }
#pragma GCC unroll 6
    for (int r = 0; r < WIDE_ROWS; r++) {
        _mm256_storeu_ps(sum[r], left[r]);
        _mm256_storeu_ps(sum[r] + 8, right[r]);
    }
}

static size_t widened_workspace_bytes(const int64_t *param)
{
    return (size_t)param[K] * (WIDE_BLOCK + WIDE_COLUMNS) * sizeof(float);
}

/* Rows of a (height, k) to groups of WIDE_ROWS, within a group column by column. */
static void widen_a(const uint16_t *a, int64_t height, int64_t k, float *to)
{
    for (int64_t top = 0; top < height; top += WIDE_ROWS)
        for (int64_t p = 0; p < k; p++)
            for (int r = 0; r < WIDE_ROWS; r++)
                *to++ = top + r < height ? bf16_to_f32(a[(top + r) * k + p]) : 0;
}

static void widen_b(const uint16_t *b, int64_t width, int64_t n, int64_t k, float *to)
{
    for (int64_t p = 0; p < k; p++, b += n, to += WIDE_COLUMNS) {
        if (width == WIDE_COLUMNS) {
            for (int j = 0; j < WIDE_COLUMNS; j++)
                to[j] = bf16_to_f32(b[j]);
            continue;
        }
        for (int j = 0; j < WIDE_COLUMNS; j++)
            to[j] = j < width ? bf16_to_f32(b[j]) : 0;
    }
}

static void widened_store(float (*sum)[WIDE_COLUMNS], uint16_t *c, int64_t rows, int64_t width, int64_t n)
{
    for (int64_t r = 0; r < rows; r++)
        for (int64_t j = 0; j < width; j++)
            c[r * n + j] = bf16_from_f32(sum[r][j]);
}

static enum aisp_status widened_run(const struct aisp_call *call)
{
    const int has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    widened_kernel *const kernel = has_avx2 ? widened_avx2 : widened_portable;
    const int64_t m = call->param[M], n = call->param[N], k = call->param[K];
    const uint16_t *a = call->tensor[A], *b = call->tensor[B];
    uint16_t *c = call->tensor[C];
    float *wide_a = call->workspace, *wide_b = wide_a + WIDE_BLOCK * k, sum[WIDE_ROWS][WIDE_COLUMNS];

    for (int64_t i = 0; i < m; i += WIDE_BLOCK) {
        const int64_t height = m - i < WIDE_BLOCK ? m - i : WIDE_BLOCK;

        widen_a(a + i * k, height, k, wide_a);
        for (int64_t j = 0; j < n; j += WIDE_COLUMNS) {
            const int64_t width = n - j < WIDE_COLUMNS ? n - j : WIDE_COLUMNS;

            widen_b(b + j, width, n, k, wide_b);
            for (int64_t r = 0; r < height; r += WIDE_ROWS) {
                kernel(wide_a + r * k, wide_b, k, sum);
                widened_store(sum, c + (i + r) * n + j, height - r < WIDE_ROWS ? height - r : WIDE_ROWS, width, n);
            }
        }
    }
    return AISP_OK;
}

#endif
