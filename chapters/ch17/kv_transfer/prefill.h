/* prefill.h - rank 0's part: a layer of some tokens. It is the same in all rungs but for where keys and values go. */
#ifndef KV_TRANSFER_PREFILL_H
#define KV_TRANSFER_PREFILL_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "kit/decode.h"
#include "problem.h"

/* y (4, dim) = x (4, dim) w (dim, dim), 16 columns at a time. */
__attribute__((target("avx2,fma"))) static inline void four_rows_avx2(const float *x, const float *w, float *y, int64_t dim)
{
    for (int64_t c = 0; c < dim; c += HEAD) {
        __m256 left[4], right[4];

        for (int r = 0; r < 4; r++)
            left[r] = right[r] = _mm256_setzero_ps();
        for (int64_t k = 0; k < dim; k++) {
            const __m256 a = _mm256_loadu_ps(w + k * dim + c), b = _mm256_loadu_ps(w + k * dim + c + LANES);

#pragma GCC unroll 4
            for (int r = 0; r < 4; r++) {
                const __m256 by = _mm256_broadcast_ss(x + r * dim + k);

                left[r] = _mm256_fmadd_ps(by, a, left[r]);
                right[r] = _mm256_fmadd_ps(by, b, right[r]);
            }
        }
        for (int r = 0; r < 4; r++) {
            _mm256_storeu_ps(y + r * dim + c, left[r]);
            _mm256_storeu_ps(y + r * dim + c + LANES, right[r]);
        }
    }
}

static inline void rows_portable(const float *x, const float *w, float *y, int64_t rows, int64_t dim)
{
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < dim; c++) {
            float sum = 0;

            for (int64_t k = 0; k < dim; k++)
                sum += x[r * dim + k] * w[k * dim + c];
            y[r * dim + c] = sum;
        }
}

/* y (rows, dim) = x (rows, dim) w (dim, dim). */
static inline void rows_by_matrix(const float *x, const float *w, float *y, int64_t rows, int64_t dim, int fast)
{
    int64_t r = 0;

    for (; fast && r + 4 <= rows; r += 4)
        four_rows_avx2(x + r * dim, w, y + r * dim, dim);
    rows_portable(x + r * dim, w, y + r * dim, rows - r, dim);
}

__attribute__((target("avx2,fma"))) static inline void squash_avx2(float *z, int64_t n)
{
    const __m256 one = _mm256_set1_ps(1), sign = _mm256_set1_ps(-0.0f);
    int64_t i = 0;

    for (; i + LANES <= n; i += LANES) {
        const __m256 v = _mm256_loadu_ps(z + i);

        _mm256_storeu_ps(z + i, _mm256_div_ps(v, _mm256_add_ps(one, _mm256_andnot_ps(sign, v))));
    }
    for (; i < n; i++)
        z[i] /= 1 + fabsf(z[i]);
}

static inline void squash(float *z, int64_t n, int fast)
{
    if (fast)
        squash_avx2(z, n);
    for (int64_t i = 0; i < n && !fast; i++)
        z[i] /= 1 + fabsf(z[i]);
}

#endif
