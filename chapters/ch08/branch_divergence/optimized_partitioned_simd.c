/* optimized_partitioned_simd - the list too is made eight elements at a time: a mask selects the permutation that packs them.
 * Expected: a comparison, two permutations and two stores for eight elements instead of eight times two stores and an addition:
 * the list falls from 2 or 3 cycles an element to 0.5, all together 1.7x to 2.2x over optimized_partitioned.
 * Costs: a table of 2 KiB; ch08:stream_compaction has this step by itself. */
#include "partition.h"

enum { MASKS = 1 << LANES };

static uint64_t order[MASKS]; /* byte j: which lane goes to place j; made in setup */

static enum aisp_status setup(const struct aisp_setup *setup)
{
    (void)setup;
    for (int mask = 0; mask < MASKS; mask++) {
        uint64_t lanes = 0;
        int place = 0;

        for (int lane = 0; lane < LANES; lane++)
            if (mask >> lane & 1)
                lanes |= (uint64_t)lane << 8 * place++;
        order[mask] = lanes;
    }
    return AISP_OK;
}

__attribute__((target("avx2,popcnt"))) static void block(const float *x, const float *c, float *y, int64_t n)
{
    const __m256 from = _mm256_set1_ps(HARD_FROM);
    __m256i at = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    struct hard hard;
    int64_t i = 0, found = 0;

    for (; i + LANES <= n; i += LANES) {
        const __m256 v = _mm256_loadu_ps(x + i);
        const unsigned mask = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(v, from, _CMP_NLT_UQ));
        const __m256i lanes = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(order + mask)));

        _mm256_storeu_ps(y + i, short_way8(v, c));
        _mm256_storeu_ps(hard.x + found, _mm256_permutevar8x32_ps(v, lanes));
        _mm256_storeu_si256((__m256i *)(hard.at + found), _mm256_permutevar8x32_epi32(at, lanes));
        at = _mm256_add_epi32(at, _mm256_set1_epi32(LANES));
        found += _mm_popcnt_u32(mask);
    }
    for (; i < n; i++) {
        y[i] = short_way(x[i], c);
        hard.x[found] = x[i];
        hard.at[found] = (int32_t)i;
        found += !(x[i] < HARD_FROM);
    }
    hard.n = found;
    hard_finish(&hard, c, y);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X], *c = call->tensor[C];
    const int64_t n = call->param[N];
    float *y = call->tensor[Y];

    if (!has_avx2()) {
        both_portable(x, c, y, n);
        return AISP_OK;
    }
    for (int64_t i = 0; i < n; i += BLOCK)
        block(x + i, c, y + i, n - i < BLOCK ? n - i : BLOCK);
    return AISP_OK;
}

AISP_DECLARE("idea: the list of the long way is made eight elements at a time, by permutations from a table\n"
             "expect: instructions / 2");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
