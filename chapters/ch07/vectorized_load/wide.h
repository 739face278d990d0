/* wide.h - what the rungs with SIMD share: the narrowest width, which every x86-64 has, and where in a vector a byte is. */
#ifndef VECTORIZED_LOAD_WIDE_H
#define VECTORIZED_LOAD_WIDE_H

#include <immintrin.h>

#include "search.h"

enum { SSE2_BYTES = 16, AVX2_BYTES = 32, AVX512_BYTES = 64 };

static inline int64_t search_sse2(const uint8_t *x, int64_t n)
{
    const __m128i zero = _mm_setzero_si128();
    int64_t i = 0;

    for (; i + SSE2_BYTES <= n; i += SSE2_BYTES) {
        const __m128i v = _mm_loadu_si128((const __m128i *)(x + i));
        const unsigned zeros = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, zero));

        if (zeros != 0xffff)
            return i + __builtin_ctz(~zeros);
    }
    return i + search_bytes(x + i, n - i);
}

/* The place of the first byte of v that is not zero; there is one. */
__attribute__((target("avx2"), always_inline)) static inline int64_t place32(__m256i v)
{
    return __builtin_ctz(~(unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, _mm256_setzero_si256())));
}

#endif
