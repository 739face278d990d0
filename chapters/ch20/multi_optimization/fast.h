/* fast.h - each of the three operations in its fast form: AVX2 with FMA, and where that is missing as it was written first. */
#ifndef MULTI_OPTIMIZATION_FAST_H
#define MULTI_OPTIMIZATION_FAST_H

#include "block.h"
#include "kit/decode.h"

enum { TILE_ROWS = 4, TILE_COLS = 2 * LANES };

/* `rows` rows, a constant of the call, by 16 columns of y = x w: sums stay in registers over all of k. */
AVX2 void tile(const float *x, const float *w, float *y, int64_t k, int64_t n, const int rows)
{
    __m256 sum[2 * TILE_ROWS];

#pragma GCC unroll 8
    for (int i = 0; i < 2 * rows; i++)
        sum[i] = _mm256_setzero_ps();
    for (int64_t p = 0; p < k; p++) {
        const __m256 w0 = _mm256_loadu_ps(w + p * n), w1 = _mm256_loadu_ps(w + p * n + LANES);

#pragma GCC unroll 4
        for (int r = 0; r < rows; r++) {
            const __m256 a = _mm256_broadcast_ss(x + r * k + p);

            sum[2 * r] = _mm256_fmadd_ps(a, w0, sum[2 * r]);
            sum[2 * r + 1] = _mm256_fmadd_ps(a, w1, sum[2 * r + 1]);
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < rows; r++) {
        _mm256_storeu_ps(y + r * n, sum[2 * r]);
        _mm256_storeu_ps(y + r * n + LANES, sum[2 * r + 1]);
    }
}

/* 16 columns of w serve all rows while they are in L1; the last 16 end with the row and compute some columns a second time.
 * n >= 16. */
__attribute__((target("avx2,fma"))) static inline void multiply_avx2(const float *x, const float *w, float *y, int64_t m,
                                                                     int64_t k, int64_t n)
{
    for (int64_t c = 0; c < n; c += TILE_COLS) {
        const int64_t j = c < n - TILE_COLS ? c : n - TILE_COLS;
        int64_t i = 0;

        for (; i + TILE_ROWS <= m; i += TILE_ROWS)
            tile(x + i * k, w + j, y + i * n + j, k, n, TILE_ROWS);
        for (; i < m; i++)
            tile(x + i * k, w + j, y + i * n + j, k, n, 1);
    }
}

static inline void multiply_fast(const float *x, const float *w, float *y, int64_t m, int64_t k, int64_t n)
{
    (has_avx2() && n >= TILE_COLS ? multiply_avx2 : multiply_plain)(x, w, y, m, k, n);
}

/* Keys in blocks, with a maximum and a sum that correct themselves. */
static inline void attend_fast(const struct attention *a)
{
    const int64_t width = a->heads * a->dim, row = 3 * width;
    const int fast = has_avx2();

    for (int64_t h = 0; h < a->heads; h++)
        for (int64_t i = 0; i < a->seq; i++) {
            const float *k = a->qkv + width + h * a->dim;
            struct part w = { .q = a->qkv + i * row + h * a->dim,
                              .o = a->o + i * width + h * a->dim,
                              .dim = a->dim,
                              .apart = row,
                              .scale = 1 / sqrtf((float)a->dim) };

            part_begin(&w);
            for (int64_t j = 0; j <= i; j += MOST_KEYS)
                part_take(&w, k + j * row, k + width + j * row, i + 1 - j < MOST_KEYS ? i + 1 - j : MOST_KEYS, fast);
            part_end(&w);
        }
}

/* (1 + tanh z) / 2 is 1 / (1 + e) for e = exp(-2 z); of exp(-|2 z|) no argument is too large. */
__attribute__((target("avx2,fma"))) static inline void activate_avx2(float *u, int64_t n)
{
    const __m256 one = _mm256_set1_ps(1), sign = _mm256_set1_ps(-0.0f);
    const __m256 scale = _mm256_set1_ps(2 * (float)GELU_SCALE), cubic = _mm256_set1_ps(2 * (float)(GELU_SCALE * GELU_CUBIC));
    int64_t i = 0;

    for (; i + LANES <= n; i += LANES) {
        const __m256 x = _mm256_loadu_ps(u + i);
        const __m256 z = _mm256_mul_ps(x, _mm256_fmadd_ps(cubic, _mm256_mul_ps(x, x), scale));
        const __m256 e = exp8(_mm256_or_ps(z, sign));
        const __m256 top = _mm256_blendv_ps(one, e, z); /* by the sign of z */

        _mm256_storeu_ps(u + i, _mm256_div_ps(_mm256_mul_ps(x, top), _mm256_add_ps(one, e)));
    }
    activate_plain(u + i, n - i);
}

static inline void activate_fast(float *u, int64_t n)
{
    (has_avx2() ? activate_avx2 : activate_plain)(u, n);
}

#endif
