/* widened.h - the product on f32 FMA units: a and b widened once into scratch, b in panels of 16
 * columns, and 6x16 tiles of c in registers. It is what optimized_fma is, and what optimized_dot
 * does on CPUs without the instruction. AVX2 where there is FMA, plain C elsewhere. */
#ifndef MATRIX_UNITS_WIDENED_H
#define MATRIX_UNITS_WIDENED_H

#include <immintrin.h>

#include <aisp/variant.h>

#include "problem.h"

enum { TILE_ROWS = 6, PANEL = 16, LANES = 8 };
enum { K_BLOCK = 384 }; /* a panel of b of so many rows is 24 KiB of a 32 KiB L1 */

enum { PAD = 16 }; /* floats between rows of a, which may be a power of two long */

struct widened {
    float *a, *b, *sums; /* a (m,lda), b (panels,k,16), sums of one panel of c (m,16) */
    int64_t m, n, k, lda;
};

static inline int64_t widened_panels(int64_t n)
{
    return (n + PANEL - 1) / PANEL;
}

static size_t widened_workspace(const int64_t *param)
{
    return (size_t)(param[M] * (param[K] + PAD + PANEL) +
                    widened_panels(param[N]) * PANEL * param[K]) *
           sizeof(float);
}

/* c (rows,16) (+)= a[0 .. rows-1][0 .. steps-1] b[0 .. steps-1][0 .. 15]. */
__attribute__((target("avx2,fma"), always_inline)) static inline void
widened_tile_avx2(const int rows, const float *a, int64_t lda, const float *b, float *c,
                  int64_t steps, int is_first)
{
    __m256 sum[TILE_ROWS][2];

    for (int r = 0; r < rows; r++) {
        sum[r][0] = is_first ? _mm256_setzero_ps() : _mm256_loadu_ps(c + r * PANEL);
        sum[r][1] = is_first ? _mm256_setzero_ps() : _mm256_loadu_ps(c + r * PANEL + LANES);
    }
    for (int64_t p = 0; p < steps; p++) {
        const __m256 b0 = _mm256_loadu_ps(b + p * PANEL),
                     b1 = _mm256_loadu_ps(b + p * PANEL + LANES);

        for (int r = 0; r < rows; r++) {
            const __m256 x = _mm256_broadcast_ss(a + r * lda + p);

            sum[r][0] = _mm256_fmadd_ps(x, b0, sum[r][0]);
            sum[r][1] = _mm256_fmadd_ps(x, b1, sum[r][1]);
        }
    }
    for (int r = 0; r < rows; r++) {
        _mm256_storeu_ps(c + r * PANEL, sum[r][0]);
        _mm256_storeu_ps(c + r * PANEL + LANES, sum[r][1]);
    }
}

typedef void widened_rows(int64_t rows, const float *a, int64_t lda, const float *b, float *c,
                          int64_t steps, int is_first);

/* All rows of a against one panel. */
__attribute__((target("avx2,fma"))) static void widened_rows_avx2(int64_t rows, const float *a,
                                                                  int64_t lda, const float *b,
                                                                  float *c, int64_t steps,
                                                                  int is_first)
{
    int64_t i = 0;

    for (; i + TILE_ROWS <= rows; i += TILE_ROWS)
        widened_tile_avx2(TILE_ROWS, a + i * lda, lda, b, c + i * PANEL, steps, is_first);
    for (; i < rows; i++)
        widened_tile_avx2(1, a + i * lda, lda, b, c + i * PANEL, steps, is_first);
}

static void widened_rows_portable(int64_t rows, const float *a, int64_t lda, const float *b,
                                  float *c, int64_t steps, int is_first)
{
    for (int64_t i = 0; i < rows; i++) {
        float sum[PANEL] = { 0 };

        for (int64_t p = 0; p < steps; p++)
            for (int x = 0; x < PANEL; x++)
                sum[x] += a[i * lda + p] * b[p * PANEL + x];
        for (int x = 0; x < PANEL; x++)
            c[i * PANEL + x] = is_first ? sum[x] : c[i * PANEL + x] + sum[x];
    }
}

static void widen_inputs(const struct aisp_call *call, const struct widened *w)
{
    const uint16_t *restrict a = call->tensor[A], *restrict b = call->tensor[B];
    float *restrict to = w->a;

    for (int64_t i = 0; i < w->m; i++)
        for (int64_t p = 0; p < w->k; p++)
            to[i * w->lda + p] = bf16_to_f32(a[i * w->k + p]);
    to = w->b;
    for (int64_t col = 0; col < w->n; col += PANEL)
        for (int64_t p = 0; p < w->k; p++, to += PANEL) {
            const int64_t width = w->n - col < PANEL ? w->n - col : PANEL;

            for (int64_t x = 0; x < width; x++)
                to[x] = bf16_to_f32(b[p * w->n + col + x]);
            for (int64_t x = width; x < PANEL; x++)
                to[x] = 0;
        }
}

/* The sums of a panel stay together until they are whole: rows of c may be a power of two apart,
 * and would share a few cache sets. */
static void widened_multiply(const struct aisp_call *call)
{
    const int64_t m = call->param[M], n = call->param[N], k = call->param[K];
    const int64_t lda = k + PAD;
    float *const scratch = call->workspace;
    const struct widened w = {
        scratch + m * PANEL, scratch + m * (PANEL + lda), scratch, m, n, k, lda
    };
    widened_rows *rows = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
                             ? widened_rows_avx2
                             : widened_rows_portable;

    widen_inputs(call, &w);
    for (int64_t col = 0; col < n; col += PANEL) {
        const size_t width = (size_t)(n - col < PANEL ? n - col : PANEL);
        float *c = (float *)call->tensor[C] + col;

        for (int64_t p = 0; p < k; p += K_BLOCK)
            rows(m, w.a + p, lda, w.b + col * k + p * PANEL, w.sums,
                 k - p < K_BLOCK ? k - p : K_BLOCK, p == 0);
        for (int64_t i = 0; i < m; i++)
            memcpy(c + i * n, w.sums + i * PANEL, width * sizeof *c);
    }
}

#endif
