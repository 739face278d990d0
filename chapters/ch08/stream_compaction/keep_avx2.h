/* keep_avx2.h - eight elements packed by a permutation from a table, shared by the rungs with SIMD. */
#ifndef STREAM_COMPACTION_KEEP_AVX2_H
#define STREAM_COMPACTION_KEEP_AVX2_H

#include <immintrin.h>

#include "keep.h"

enum { LANES = 8, MASKS = 1 << LANES };

static uint64_t order[MASKS]; /* byte j: which lane goes to place j; order_init makes it */

static inline void order_init(void)
{
    for (int mask = 0; mask < MASKS; mask++) {
        uint64_t lanes = 0;
        int place = 0;

        for (int lane = 0; lane < LANES; lane++)
            if (mask >> lane & 1)
                lanes |= (uint64_t)lane << 8 * place++;
        order[mask] = lanes;
    }
}

__attribute__((target("avx2,popcnt"))) static inline int64_t keep_avx2(const int32_t *x, int64_t n, int32_t level, int32_t *y)
{
    const __m256i levels = _mm256_set1_epi32(level);
    int64_t i = 0, kept = 0;

    for (; i + LANES <= n; i += LANES) {
        const __m256i v = _mm256_loadu_si256((const __m256i *)(x + i));
        const unsigned mask = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(v, levels)));
        const __m256i lanes = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(order + mask)));

        /* kept <= i: eight lanes end inside the row. */
        _mm256_storeu_si256((__m256i *)(y + kept), _mm256_permutevar8x32_epi32(v, lanes));
        kept += _mm_popcnt_u32(mask);
    }
    return kept + keep_branchless(x + i, n - i, level, y + kept);
}

static inline keep_row *keep_widest(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") ? keep_avx2 : keep_branchless;
}

#endif
