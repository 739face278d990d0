/* optimized_unrolled - four vectors are or-ed together and tested once; only where that is not zero is looked for which it was.
 * Expected: four loads, three ors, one test and one branch for 128 bytes, where single vectors took four tests and four
 * branches: from 16 bytes a cycle to the 32 that L2 can give, 1.7x to 2x over optimized_vectors, and 2.5x to 3x where the rows
 * lie in L1.
 * Costs: code for the end; rows that end early have read up to 255 bytes more. */
#include "search.h"
#include "wide.h"

enum { VECTORS = 4 };

__attribute__((target("avx2"))) static int64_t search_avx2(const uint8_t *x, int64_t n)
{
    int64_t i = 0;

    for (; i + VECTORS * AVX2_BYTES <= n; i += VECTORS * AVX2_BYTES) {
        const __m256i *v = (const __m256i *)(x + i);
        const __m256i low = _mm256_or_si256(_mm256_loadu_si256(v), _mm256_loadu_si256(v + 1));
        const __m256i high = _mm256_or_si256(_mm256_loadu_si256(v + 2), _mm256_loadu_si256(v + 3));
        const __m256i any = _mm256_or_si256(low, high);

        if (!_mm256_testz_si256(any, any))
            break;
    }
    for (; i + AVX2_BYTES <= n; i += AVX2_BYTES) {
        const __m256i v = _mm256_loadu_si256((const __m256i *)(x + i));

        if (!_mm256_testz_si256(v, v))
            return i + place32(v);
    }
    return i + search_sse2(x + i, n - i);
}

__attribute__((target("avx512f,avx512bw"))) static int64_t search_avx512(const uint8_t *x, int64_t n)
{
    int64_t i = 0;

    for (; i + VECTORS * AVX512_BYTES <= n; i += VECTORS * AVX512_BYTES) {
        const __m512i low = _mm512_or_si512(_mm512_loadu_si512(x + i), _mm512_loadu_si512(x + i + AVX512_BYTES));
        const __m512i high =
            _mm512_or_si512(_mm512_loadu_si512(x + i + 2 * AVX512_BYTES), _mm512_loadu_si512(x + i + 3 * AVX512_BYTES));
        const __m512i any = _mm512_or_si512(low, high);

        if (_mm512_test_epi8_mask(any, any))
            break;
    }
    for (; i + AVX512_BYTES <= n; i += AVX512_BYTES) {
        const __m512i v = _mm512_loadu_si512(x + i);
        const uint64_t mask = _mm512_test_epi8_mask(v, v);

        if (mask)
            return i + __builtin_ctzll(mask);
    }
    return i + search_sse2(x + i, n - i);
}

static enum aisp_status run(const struct aisp_call *call)
{
    if (__builtin_cpu_supports("avx512bw"))
        return search_all(call, search_avx512);
    return search_all(call, __builtin_cpu_supports("avx2") ? search_avx2 : search_sse2);
}

AISP_DECLARE("idea: four vectors and one test\n"
             "expect: instructions / 2");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
