/* optimized_dot - the matrix unit of the vector registers: vdpbf16ps of AVX-512 multiplies 32 pairs
 * of bf16 and adds neighbours into 16 sums of f32.
 * Expected: 32 multiply-adds an instruction and no widening: twice the rate of an AVX-512 f32 FMA,
 * four times that of an AVX2 one where two of those and one of these start in a cycle: 2x of
 * optimized_fma, and up to 4x where there are two dot units.
 * Costs: b in panels that hold rows 2q and 2q + 1 interleaved, since the instruction adds
 * neighbours along k; sums in the order of pairs, rounded to nearest, subnormal inputs taken as
 * zero. CPUs without it do what optimized_fma does.
 * Contract: a (m,k)  b (k,n): bf16, c (m,n): f32, row-major, no overlap. Error: as the
 * baseline's. */
#include <aisp/variant.h>

#include "widened.h"

/* A tile is 8 x 32: 16 sums of 512 bits, two registers of b, the rest for a. */
enum { DOT_ROWS = 8, DOT_PANEL = 32, WORDS = 16 };
enum { PAIR_BLOCK = 192 }; /* pairs of k a block: a panel is 24 KiB */

#define AVX512_BF16 __attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16")))

static int has_dot(void)
{
    return __builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl");
}

static size_t workspace_bytes(const int64_t *param)
{
    const int64_t panels = (param[N] + DOT_PANEL - 1) / DOT_PANEL, pairs = (param[K] + 1) / 2;
    const size_t dot = (size_t)(panels * DOT_PANEL * pairs) * sizeof(uint32_t);

    return has_dot() ? dot : widened_workspace(param);
}

/* 16 columns of two rows of b, the second in the upper halves; rows and columns beyond b are
 * zero. */
AVX512_BF16 static __m512i interleave(const uint16_t *b, int64_t n, int has_second,
                                      __mmask16 inside)
{
    const __m256i lower = _mm256_maskz_loadu_epi16(inside, b);
    const __m256i upper = _mm256_maskz_loadu_epi16(has_second ? inside : 0, b + n);

    return _mm512_or_si512(_mm512_cvtepu16_epi32(lower),
                           _mm512_slli_epi32(_mm512_cvtepu16_epi32(upper), 16));
}

/* Of 16 columns, those of the `left` ones that are. */
static __mmask16 lanes(int64_t left)
{
    return left >= WORDS ? 0xffff : left <= 0 ? 0 : (__mmask16)((1u << left) - 1);
}

AVX512_BF16 static void pack(const uint16_t *b, uint32_t *to, int64_t n, int64_t k)
{
    for (int64_t col = 0; col < n; col += DOT_PANEL)
        for (int64_t p = 0; p < k; p += 2)
            for (int x = 0; x < DOT_PANEL; x += WORDS, to += WORDS) {
                const __mmask16 inside = lanes(n - col - x);

                _mm512_storeu_si512(to, inside
                                            ? interleave(b + p * n + col + x, n, p + 1 < k, inside)
                                            : _mm512_setzero_si512());
            }
}

struct dot {
    const uint16_t *a;
    int64_t lda, ldc, pairs;
    __mmask16 left, right; /* columns of c of the two halves of a panel */
    int is_odd;            /* the last pair has one element */
    int is_first;          /* block of k */
};

/* sum += pair q of each row times one line of the panel; `bytes` of the pair are there. */
AVX512_BF16 __attribute__((always_inline)) static inline void
dot_step(const int rows, const size_t bytes, const uint16_t *a, int64_t lda, const uint32_t *b,
         __m512 (*sum)[2])
{
    const __m512bh b0 = (__m512bh)_mm512_loadu_si512(b);
    const __m512bh b1 = (__m512bh)_mm512_loadu_si512(b + WORDS);

    for (int r = 0; r < rows; r++) {
        uint32_t pair = 0;
        __m512bh x;

        memcpy(&pair, a + r * lda, bytes);
        x = (__m512bh)_mm512_set1_epi32((int)pair);
        sum[r][0] = _mm512_dpbf16_ps(sum[r][0], x, b0);
        sum[r][1] = _mm512_dpbf16_ps(sum[r][1], x, b1);
    }
}

/* c[0 .. rows-1][0 .. 31] (+)= a[0 .. rows-1][...] times a block of a panel. */
AVX512_BF16 __attribute__((always_inline)) static inline void
dot_tile(const int rows, const struct dot *d, int64_t row, const uint32_t *b, float *c)
{
    const uint16_t *a = d->a + row * d->lda;
    const int64_t whole = d->pairs - d->is_odd;
    __m512 sum[DOT_ROWS][2];

    for (int r = 0; r < rows; r++) {
        const float *from = c + (row + r) * d->ldc;

        sum[r][0] = _mm512_maskz_loadu_ps(d->is_first ? 0 : d->left, from);
        sum[r][1] = _mm512_maskz_loadu_ps(d->is_first ? 0 : d->right, from + WORDS);
    }
    for (int64_t q = 0; q < whole; q++)
        dot_step(rows, 2 * sizeof *a, a + 2 * q, d->lda, b + q * DOT_PANEL, sum);
    if (d->is_odd)
        dot_step(rows, sizeof *a, a + 2 * whole, d->lda, b + whole * DOT_PANEL, sum);
    for (int r = 0; r < rows; r++) {
        float *to = c + (row + r) * d->ldc;

        _mm512_mask_storeu_ps(to, d->left, sum[r][0]);
        _mm512_mask_storeu_ps(to + WORDS, d->right, sum[r][1]);
    }
}

AVX512_BF16 static void dot_multiply(const struct aisp_call *call)
{
    const int64_t m = call->param[M], n = call->param[N], k = call->param[K], all = (k + 1) / 2;
    const uint32_t *packed = call->workspace;

    pack(call->tensor[B], call->workspace, n, k);
    for (int64_t q = 0; q < all; q += PAIR_BLOCK)
        for (int64_t col = 0; col < n; col += DOT_PANEL) {
            const int64_t pairs = all - q < PAIR_BLOCK ? all - q : PAIR_BLOCK;
            const struct dot d = { .a = (const uint16_t *)call->tensor[A] + 2 * q,
                                   .lda = k,
                                   .ldc = n,
                                   .pairs = pairs,
                                   .left = lanes(n - col),
                                   .right = lanes(n - col - WORDS),
                                   .is_odd = k % 2 && q + pairs == all,
                                   .is_first = q == 0 };
            const uint32_t *b = packed + (col * all + q * DOT_PANEL);
            float *c = (float *)call->tensor[C] + col;
            int64_t i = 0;

            for (; i + DOT_ROWS <= m; i += DOT_ROWS)
                dot_tile(DOT_ROWS, &d, i, b, c);
            for (; i < m; i++)
                dot_tile(1, &d, i, b, c);
        }
}

static enum aisp_status run(const struct aisp_call *call)
{
    if (has_dot())
        dot_multiply(call);
    else
        widened_multiply(call);
    return AISP_OK;
}

AISP_DECLARE(
    "idea: dot products of bf16 pairs, 32 multiply-adds an AVX-512 instruction, b interleaved\n"
    "expect: instructions / 2");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
