/* optimized_avx512bf16 - multiply bf16 as bf16: vdpbf16ps adds the products of 16 pairs to 16 sums in one instruction.
 * Expected: twice optimized_widened where as many of them start in a cycle as fused f32 multiply-adds (Zen 4), 64 flop an
 *   instruction against 32, and half the bytes from cache. Where one starts in two cycles, as on Sapphire Rapids, half of
 *   optimized_widened: there the f32 units are the faster way, and AMX is what the chip has for bf16. Pairs lie along k, so
 *   b is packed with two rows interleaved; a has them as it is.
 * Costs: AVX512_BF16 (elsewhere it is optimized_widened's kernel); the instruction takes subnormals as zeros, and rounds
 *   each pair's two sums to nearest even whatever the mode is. */
#include <immintrin.h>

#include "widened.h"

AISP_TILES_14X32(dot, "avx512f,avx512bf16", "vdpbf16ps", "vaddps");

enum { COLUMNS = 32 };

#define TARGET __attribute__((target("avx512f,avx512bw")))

/* An odd k is filled up with a zero, for 0 times what follows would be NaN where that is infinite. */
static void copy_a(struct part a, void *to, int64_t to_ld)
{
    for (int64_t r = 0; r < a.rows; r++) {
        uint16_t *row = (uint16_t *)to + 2 * r * to_ld;

        memcpy(row, (const uint16_t *)a.at + r * a.ld, (size_t)a.width * sizeof *row);
        if (a.width % 2)
            row[a.width] = 0;
    }
}

/* Two rows of b to dwords: element j of a panel's row is (b[p][j], b[p + 1][j]). */
TARGET static void pair_b(struct part b, void *to, int64_t panel)
{
    uint16_t order[2][2 * 16]; /* words i and 32 + i, and words 16 + i and 48 + i */
    uint32_t *words = to;
    __m512i first, second;

    for (int i = 0; i < 2 * 16; i++) {
        order[0][i] = (uint16_t)(i / 2 + 32 * (i % 2));
        order[1][i] = (uint16_t)(order[0][i] + 16);
    }
    first = _mm512_loadu_si512(order[0]);
    second = _mm512_loadu_si512(order[1]);
    for (int64_t p = 0; p < b.rows; p += 2, words += COLUMNS) {
        const uint16_t *row = (const uint16_t *)b.at + p * b.ld;

        for (int64_t x = 0; x < b.width; x += COLUMNS) {
            const __mmask32 all = ~(__mmask32)0, inside = b.width - x < COLUMNS ? ~(all << (b.width - x)) : all;
            const __m512i low = _mm512_maskz_loadu_epi16(inside, row + x);
            const __m512i high = _mm512_maskz_loadu_epi16(p + 1 < b.rows ? inside : 0, row + b.ld + x);
            uint32_t *pairs = words + x / COLUMNS * panel;

            __builtin_prefetch(row + 8 * b.ld + x);
            __builtin_prefetch(row + 9 * b.ld + x);
            _mm512_store_si512(pairs, _mm512_permutex2var_epi16(low, first, high));
            _mm512_store_si512(pairs + 16, _mm512_permutex2var_epi16(low, second, high));
        }
    }
}

static const struct product_kind dot_product = { .mr = 14,
                                                 .nr = COLUMNS,
                                                 .pack = 2,
                                                 .a_bytes = 2,
                                                 .b_bytes = 2,
                                                 .c_bytes = 2,
                                                 .is_a_ready = true,
                                                 .kernel = dot_kernel,
                                                 .pack_a = copy_a,
                                                 .pack_b = pair_b,
                                                 .finish = avx512_round };

static const struct product_kind *pick(void)
{
    const bool has_all = __builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512bw") &&
                         __builtin_cpu_supports("avx512vl"); /* avx512_round is compiled for it */

    return has_all ? &dot_product : pick_widened();
}

static size_t workspace_bytes(const int64_t *param)
{
    const struct product p = product_of(pick(), param);

    return product_workspace_bytes(&p);
}

static enum aisp_status run(const struct aisp_call *call)
{
    return multiply(pick(), call);
}

AISP_DECLARE("idea: vdpbf16ps on pairs of bf16 along k, a 14 x 32 tile of sums in registers\n"
             "expect: instructions / 4");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
