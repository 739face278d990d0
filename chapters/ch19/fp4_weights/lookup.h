/* lookup.h - rows straight from the checkpoint: a byte shuffle is the table of the sixteen values, doubled so that they are
 * whole numbers (0, 1, 2, 3, 4, 6, 8, 12 and their negatives). */
#ifndef FP4_WEIGHTS_LOOKUP_H
#define FP4_WEIGHTS_LOOKUP_H

#include "kit/lanes.h"
#include "scalar.h"

enum { LANES = 8 };

/* The lower eight bytes, signed, as numbers. */
AVX2 __m256 numbers(__m128i bytes)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes));
}

/* One block of 16 in the eight lower bytes of `low`: its columns in order. */
AVX2 __m256 block_sum(__m128i columns, const float *x)
{
    const __m256 a = _mm256_mul_ps(numbers(columns), _mm256_loadu_ps(x));

    return _mm256_fmadd_ps(numbers(_mm_srli_si128(columns, 8)), _mm256_loadu_ps(x + LANES), a);
}

AVX2 __m128i doubled(__m128i nibbles)
{
    const __m128i table = _mm_setr_epi8(0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12);

    return _mm_shuffle_epi8(table, nibbles);
}

AVX2 float row_lookup(const uint8_t *w, const uint8_t *scale, const float *x, int64_t cols)
{
    const __m128i mask = _mm_set1_epi8(15);
    __m256 s = _mm256_setzero_ps(), t = s;
    int64_t c = 0;

    for (; c + 2 * BLOCK <= cols; c += 2 * BLOCK) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(w + c / 2));
        const __m128i even = doubled(_mm_and_si128(bytes, mask));
        const __m128i odd = doubled(_mm_and_si128(_mm_srli_epi16(bytes, 4), mask));
        const float *xs = x + c;

        s = _mm256_fmadd_ps(block_sum(_mm_unpacklo_epi8(even, odd), xs), _mm256_set1_ps(scale_of(scale[c / BLOCK])), s);
        t = _mm256_fmadd_ps(block_sum(_mm_unpackhi_epi8(even, odd), xs + BLOCK),
                            _mm256_set1_ps(scale_of(scale[c / BLOCK + 1])), t);
    }
    return 0.5f * lanes_sum(_mm256_add_ps(s, t)) +
           (c < cols ? row_portable(w + c / 2, scale + c / BLOCK, x + c, cols - c) : 0);
}

#endif
