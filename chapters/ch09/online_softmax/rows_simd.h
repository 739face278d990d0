/* rows_simd.h - the three steps of a row for AVX2, over any number of elements; the rungs differ
 * in when they call them. */
#ifndef ONLINE_SOFTMAX_ROWS_SIMD_H
#define ONLINE_SOFTMAX_ROWS_SIMD_H

#include <math.h>
#include <stdint.h>

#include "kit/exp8.h"

/* The larger of `top` and the n elements of x. */
AVX2 float row_max(const float *x, int64_t n, float top)
{
    __m256 a = _mm256_set1_ps(top), b = a, d = a, e = a;
    int64_t c = 0;

    for (; c + 4 * LANES <= n; c += 4 * LANES) {
        a = _mm256_max_ps(a, _mm256_loadu_ps(x + c));
        b = _mm256_max_ps(b, _mm256_loadu_ps(x + c + LANES));
        d = _mm256_max_ps(d, _mm256_loadu_ps(x + c + 2 * LANES));
        e = _mm256_max_ps(e, _mm256_loadu_ps(x + c + 3 * LANES));
    }
    for (; c + LANES <= n; c += LANES)
        a = _mm256_max_ps(a, _mm256_loadu_ps(x + c));
    top = lanes_max(_mm256_max_ps(_mm256_max_ps(a, b), _mm256_max_ps(d, e)));
    for (; c < n; c++)
        top = x[c] > top ? x[c] : top;
    return top;
}

/* y = exp(x - top); returns their sum. */
AVX2 float row_exp(const float *x, float *y, int64_t n, float top)
{
    const __m256 tops = _mm256_set1_ps(top);
    __m256 sum = _mm256_setzero_ps();
    float tail = 0;
    int64_t c = 0;

    for (; c + LANES <= n; c += LANES) {
        const __m256 e = exp8(_mm256_sub_ps(_mm256_loadu_ps(x + c), tops));

        _mm256_storeu_ps(y + c, e);
        sum = _mm256_add_ps(sum, e);
    }
    for (; c < n; c++) {
        y[c] = expf(x[c] - top);
        tail += y[c];
    }
    return lanes_sum(sum) + tail;
}

AVX2 void row_scale(float *y, int64_t n, float factor)
{
    const __m256 factors = _mm256_set1_ps(factor);
    int64_t c = 0;

    for (; c + LANES <= n; c += LANES)
        _mm256_storeu_ps(y + c, _mm256_mul_ps(_mm256_loadu_ps(y + c), factors));
    for (; c < n; c++)
        y[c] *= factor;
}

/* One row in three passes, for machines without AVX2. */
static inline void row_portable(const float *x, float *y, int64_t cols)
{
    float max = x[0], sum = 0;

    for (int64_t c = 1; c < cols; c++)
        max = x[c] > max ? x[c] : max;
    for (int64_t c = 0; c < cols; c++) {
        y[c] = expf(x[c] - max);
        sum += y[c];
    }
    for (int64_t c = 0; c < cols; c++)
        y[c] /= sum;
}

#endif
