/* optimized_vectors - one load of SIMD width and one test: 64 bytes with AVX-512, 32 with AVX2, 16 elsewhere.
 * Expected: four times the bytes of optimized_words a load, but the test of a vector takes two steps and the branch behind it a
 * third, so that a vector takes up to two cycles: 2x to 3x over it.
 * Costs: a search for each width; rows that end early pay for the whole vector. */
#include "search.h"
#include "wide.h"

__attribute__((target("avx2"))) static int64_t search_avx2(const uint8_t *x, int64_t n)
{
    int64_t i = 0;

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

AISP_DECLARE("idea: one load and one test of SIMD width\n"
             "expect: instructions / 3");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
