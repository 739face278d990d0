/* optimized_register_tiles - one pass over the whole batch with a 4x16 tile of c held in eight
 * AVX2 registers.
 * Expected: c is stored once instead of k times, and six loads feed eight fused multiply-adds of 8
 * lanes; at 16x16x16 a matrix needs 512 of them, 256 cycles. 10x and more against the dot
 * products. Nothing is packed, nothing is set up per matrix: at this size that is what a library
 * call cannot avoid. Costs: AVX2, masked columns, row tails. */
#include <immintrin.h>

#include <aisp/variant.h>

#include "problem.h"

enum { LANES = 8, TILE_ROWS = 4, TILE_COLS = 2 * LANES };

static void multiply_portable(const float *restrict a, const float *restrict b, float *restrict c,
                              int64_t m, int64_t n, int64_t k)
{
    for (int64_t row = 0; row < m; row++) {
        for (int64_t col = 0; col < n; col++)
            c[row * n + col] = 0;
        for (int64_t p = 0; p < k; p++)
            for (int64_t col = 0; col < n; col++)
                c[row * n + col] += a[row * k + p] * b[p * n + col];
    }
}

struct shape {
    int64_t n, k;
    __m256i left, right; /* lanes of the two halves of a tile that are inside the matrix */
};

/* c[0 .. rows-1][0 .. 15] = a[0 .. rows-1][:] b[:][0 .. 15]; `rows` and `whole` are constants of
 * each call site. */
__attribute__((target("avx2,fma"), always_inline)) static inline void
tile(const int rows, const int whole, const float *a, const float *b, float *c,
     const struct shape *s)
{
    __m256 sum[TILE_ROWS][2];

    for (int r = 0; r < rows; r++)
        sum[r][0] = sum[r][1] = _mm256_setzero_ps();
    for (int64_t p = 0; p < s->k; p++) {
        const float *line = b + p * s->n;
        const __m256 b0 = whole ? _mm256_loadu_ps(line) : _mm256_maskload_ps(line, s->left);
        const __m256 b1 =
            whole ? _mm256_loadu_ps(line + LANES) : _mm256_maskload_ps(line + LANES, s->right);

        for (int r = 0; r < rows; r++) {
            const __m256 x = _mm256_broadcast_ss(a + r * s->k + p);

            sum[r][0] = _mm256_fmadd_ps(x, b0, sum[r][0]);
            sum[r][1] = _mm256_fmadd_ps(x, b1, sum[r][1]);
        }
    }
    for (int r = 0; r < rows; r++) {
        if (whole) {
            _mm256_storeu_ps(c + r * s->n, sum[r][0]);
            _mm256_storeu_ps(c + r * s->n + LANES, sum[r][1]);
        } else {
            _mm256_maskstore_ps(c + r * s->n, s->left, sum[r][0]);
            _mm256_maskstore_ps(c + r * s->n + LANES, s->right, sum[r][1]);
        }
    }
}

/* A column panel of one matrix, 16 columns wide, or what is left of it. */
__attribute__((target("avx2,fma"), always_inline)) static inline void
panel(const int whole, const float *a, const float *b, float *c, int64_t m, const struct shape *s)
{
    int64_t row = 0;

    for (; row + TILE_ROWS <= m; row += TILE_ROWS)
        tile(TILE_ROWS, whole, a + row * s->k, b, c + row * s->n, s);
    for (; row < m; row++)
        tile(1, whole, a + row * s->k, b, c + row * s->n, s);
}

__attribute__((target("avx2,fma"))) static __m256i lanes_below(int64_t n)
{
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const int count = n < 0 ? 0 : n > LANES ? LANES : (int)n;

    return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), lane);
}

__attribute__((target("avx2,fma"))) static void multiply_batch(const struct aisp_call *call)
{
    const int64_t m = call->param[M], n = call->param[N], k = call->param[K];
    const int64_t whole = n - n % TILE_COLS;
    const struct shape s = { n, k, lanes_below(n - whole), lanes_below(n - whole - LANES) };

    for (int64_t i = 0; i < call->param[BATCH]; i++) {
        const float *a = (const float *)call->tensor[A] + i * m * k;
        const float *b = (const float *)call->tensor[B] + i * k * n;
        float *c = (float *)call->tensor[C] + i * m * n;

        for (int64_t col = 0; col < whole; col += TILE_COLS)
            panel(1, a, b + col, c + col, m, &s);
        if (whole < n)
            panel(0, a, b + whole, c + whole, m, &s);
    }
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t m = call->param[M], n = call->param[N], k = call->param[K];

    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        multiply_batch(call);
        return AISP_OK;
    }
    for (int64_t i = 0; i < call->param[BATCH]; i++)
        multiply_portable((const float *)call->tensor[A] + i * m * k,
                          (const float *)call->tensor[B] + i * k * n,
                          (float *)call->tensor[C] + i * m * n, m, n, k);
    return AISP_OK;
}

AISP_DECLARE(
    "idea: one pass over the batch, a 4x16 tile of c in registers, nothing set up per matrix\n"
    "expect: instructions / 8");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
