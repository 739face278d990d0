/* optimized_compress - AVX-512 has the permutation as an instruction: vpcompressd packs sixteen lanes by a mask register.
 * Expected: no table, no conversion of a mask and twice the lanes: half the instructions of optimized_permute. From L3 both
 * wait for the data, so 1.0x to 1.4x where AVX-512 is; elsewhere this takes the code of AVX2, and the two are the same.
 * Costs: AVX-512; packed in a register and stored whole, because the form of the instruction that stores by itself takes
 * more than a hundred cycles on Zen 4. */
#include <immintrin.h>

#include "keep.h"
#include "keep_avx2.h"

enum { WIDE = 16 };

__attribute__((target("avx512f,popcnt"))) static int64_t keep_avx512(const int32_t *x, int64_t n, int32_t level, int32_t *y)
{
    const __m512i levels = _mm512_set1_epi32(level);
    int64_t i = 0, kept = 0;

    for (; i + WIDE <= n; i += WIDE) {
        const __m512i v = _mm512_loadu_si512(x + i);
        const __mmask16 mask = _mm512_cmpgt_epi32_mask(v, levels);

        /* kept <= i: sixteen lanes end inside the row. */
        _mm512_storeu_si512(y + kept, _mm512_maskz_compress_epi32(mask, v));
        kept += _mm_popcnt_u32(mask);
    }
    return kept + keep_branchless(x + i, n - i, level, y + kept);
}

static enum aisp_status setup(const struct aisp_setup *setup)
{
    (void)setup;
    order_init();
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *call)
{
    return keep_all(call, __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("popcnt") ? keep_avx512 : keep_widest());
}

AISP_DECLARE("idea: vpcompressd packs sixteen lanes by a mask\n"
             "expect: instructions / 2");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
