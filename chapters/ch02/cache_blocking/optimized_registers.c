/* optimized_registers - blocked once more, for the registers: four questions share each AVX2 load
 * of x.
 * Expected: a load serves four comparisons instead of one and eight lanes are compared at once:
 * the comparisons drop below the time that reading x from DRAM takes, which is then the limit.
 * Costs: AVX2, tails in both directions. */
#include <immintrin.h>

#include <aisp/variant.h>

#include "problem.h"
#include "count.h"

enum { LANES = 8, BLOCK = 4096, GROUP = 4 };

__attribute__((target("avx2"))) static int32_t lanes_sum(__m256i v)
{
    __m128i s = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));

    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1));
    return _mm_cvtsi128_si32(s);
}

/* Adds to count[0 .. GROUP-1]. A true comparison is -1 in its lane, so that subtracting it counts.
 */
__attribute__((target("avx2"))) static void count_group(const float *x, int64_t n,
                                                        const float *threshold, int32_t *count)
{
    __m256 limit[GROUP];
    __m256i below[GROUP];
    int64_t i = 0;

    for (int q = 0; q < GROUP; q++) {
        limit[q] = _mm256_set1_ps(threshold[q]);
        below[q] = _mm256_setzero_si256();
    }
    for (; i + LANES <= n; i += LANES) {
        const __m256 v = _mm256_loadu_ps(x + i);

        for (int q = 0; q < GROUP; q++)
            below[q] = _mm256_sub_epi32(
                below[q], _mm256_castps_si256(_mm256_cmp_ps(v, limit[q], _CMP_LT_OQ)));
    }
    for (int q = 0; q < GROUP; q++)
        count[q] += lanes_sum(below[q]) + count_below(x + i, n - i, threshold[q]);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *threshold = call->tensor[THRESHOLD], *x = call->tensor[X];
    const int64_t queries = call->param[QUERIES], n = call->param[N];
    const int64_t grouped = __builtin_cpu_supports("avx2") ? queries - queries % GROUP : 0;
    int32_t *count = call->tensor[COUNT];

    for (int64_t q = 0; q < queries; q++)
        count[q] = 0;
    for (int64_t i = 0; i < n; i += BLOCK) {
        const int64_t length = n - i < BLOCK ? n - i : BLOCK;

        for (int64_t q = 0; q < grouped; q += GROUP)
            count_group(x + i, length, threshold + q, count + q);
        for (int64_t q = grouped; q < queries; q++)
            count[q] += count_below(x + i, length, threshold[q]);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: four questions share each AVX2 load of a block that is in L1\n"
             "expect: instructions / 3");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
