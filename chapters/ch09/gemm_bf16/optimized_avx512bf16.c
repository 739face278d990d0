/* optimized_avx512bf16 - multiply bf16 as bf16: vdpbf16ps adds the products of 16 pairs to 16 sums in one instruction.
 * Expected: twice optimized_widened with 512-bit registers, four times it with AVX2: 64 flop an instruction against 16, and
 *   half the bytes from cache. Pairs lie along k, so b is packed with two rows interleaved; a has them as it is.
 * Costs: AVX512_BF16 (elsewhere it is optimized_widened's kernel); the instruction takes subnormals as zeros, and rounds
 *   each pair's two sums to nearest even whatever the mode is. */
#include "widened.h"

enum { ROWS = 12, COLUMNS = 32, BLOCK = 16 * ROWS };     /* 24 of 32 zmm are sums */

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16")))

static int is_supported(void)
{
    return __builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512bw");
}

static int64_t n_pairs(int64_t k)
{
    return (k + 1) / 2;
}

static size_t workspace_bytes(const int64_t *param)
{
    const size_t pairs = (size_t)n_pairs(param[K]) * (BLOCK + COLUMNS) * sizeof(uint32_t),
                 wide = widened_workspace_bytes(param);

    return pairs > wide ? pairs : wide;
}

/* Rows of a (height, k) to groups of ROWS, within a group pair by pair. */
static void pair_a(const uint16_t *a, int64_t height, int64_t k, uint32_t *to)
{
    for (int64_t top = 0; top < height; top += ROWS)
        for (int64_t p = 0; p < k; p += 2)
            for (int r = 0; r < ROWS; r++) {
                const uint16_t *from = a + (top + r) * k + p;
                const uint32_t low = top + r < height ? from[0] : 0, high = top + r < height && p + 1 < k ? from[1] : 0;

                *to++ = low | high << 16;
            }
}

/* Columns of b, `inside` of them, to pairs of rows: element j of a pair of rows is (b[p][j], b[p + 1][j]). */
TARGET static void pair_b(const uint16_t *b, __mmask32 inside, int64_t n, int64_t k, uint32_t *to)
{
    uint16_t order[2][2 * 16];         /* words i and 32 + i, and words 16 + i and 48 + i */
    __m512i first, second;

    for (int i = 0; i < 2 * 16; i++) {
        order[0][i] = (uint16_t)(i / 2 + 32 * (i % 2));
        order[1][i] = (uint16_t)(order[0][i] + 16);
    }
    first = _mm512_loadu_si512(order[0]);
    second = _mm512_loadu_si512(order[1]);
    for (int64_t p = 0; p < k; p += 2, b += 2 * n, to += COLUMNS) {
        const __m512i low = _mm512_maskz_loadu_epi16(inside, b);
        const __m512i high = p + 1 < k ? _mm512_maskz_loadu_epi16(inside, b + n) : _mm512_setzero_si512();

        _mm512_storeu_si512(to, _mm512_permutex2var_epi16(low, first, high));
        _mm512_storeu_si512(to + 16, _mm512_permutex2var_epi16(low, second, high));
    }
}

/* c (rows, columns `inside`) = a group of a times a panel of b. */
TARGET static void multiply(const uint32_t *a, const uint32_t *b, int64_t pairs, uint16_t *c, int64_t rows, __mmask32 inside,
                            int64_t n)
{
    __m512 left[ROWS], right[ROWS];

#pragma GCC unroll 12     /* here too: sums with a run-time index would be kept in memory */
    for (int r = 0; r < ROWS; r++)
        left[r] = right[r] = _mm512_setzero_ps();
    for (int64_t p = 0; p < pairs; p++, a += ROWS, b += COLUMNS) {
        const __m512bh b_left = (__m512bh)_mm512_loadu_si512(b), b_right = (__m512bh)_mm512_loadu_si512(b + 16);

#pragma GCC unroll 12
        for (int r = 0; r < ROWS; r++) {
            const __m512bh a_r = (__m512bh)_mm512_set1_epi32((int)a[r]);

            left[r] = _mm512_dpbf16_ps(left[r], a_r, b_left);
            right[r] = _mm512_dpbf16_ps(right[r], a_r, b_right);
        }
    }
#pragma GCC unroll 12
    for (int r = 0; r < ROWS; r++)
        if (r < rows)
            _mm512_mask_storeu_epi16(c + r * n, inside, (__m512i)_mm512_cvtne2ps_pbh(right[r], left[r]));
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t m = call->param[M], n = call->param[N], k = call->param[K], pairs = n_pairs(k);
    const uint16_t *a = call->tensor[A], *b = call->tensor[B];
    uint16_t *c = call->tensor[C];
    uint32_t *pairs_a = call->workspace, *pairs_b = pairs_a + BLOCK * pairs;

    if (!is_supported())
        return widened_run(call);
    for (int64_t i = 0; i < m; i += BLOCK) {
        const int64_t height = m - i < BLOCK ? m - i : BLOCK;

        pair_a(a + i * k, height, k, pairs_a);
        for (int64_t j = 0; j < n; j += COLUMNS) {
            const __mmask32 inside = n - j < COLUMNS ? ((__mmask32)1 << (n - j)) - 1 : ~(__mmask32)0;

            pair_b(b + j, inside, n, k, pairs_b);
            for (int64_t r = 0; r < height; r += ROWS)
                multiply(pairs_a + r * pairs, pairs_b, pairs, c + (i + r) * n + j, height - r, inside, n);
        }
    }
    return AISP_OK;
}

AISP_DECLARE("idea: vdpbf16ps on pairs of bf16 along k, a 12 x 32 tile of sums in registers\n"
             "expect: instructions / 4");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
