/* row_avx2.h - rows for AVX2 with FMA. */
#ifndef WEIGHT_ONLY_QUANT_ROW_AVX2_H
#define WEIGHT_ONLY_QUANT_ROW_AVX2_H

#include "group.h"
#include "kit/lanes.h"

/* The lower eight bytes, signed, as numbers. */
AVX2 __m256 numbers(__m128i bytes)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes));
}

/* 32 weights without their scale times x, as eight sums. The table takes a nibble to nibble - 8. */
AVX2 __m256 group_avx2(const uint8_t *w, const float *x)
{
    const __m128i table = _mm_setr_epi8(-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7), mask = _mm_set1_epi8(15);
    const __m128i bytes = _mm_loadu_si128((const __m128i *)w);
    const __m128i even = _mm_shuffle_epi8(table, _mm_and_si128(bytes, mask));
    const __m128i odd = _mm_shuffle_epi8(table, _mm_and_si128(_mm_srli_epi16(bytes, 4), mask));
    const __m128i low = _mm_unpacklo_epi8(even, odd), high = _mm_unpackhi_epi8(even, odd);
    __m256 a, b;

    a = _mm256_mul_ps(numbers(low), _mm256_loadu_ps(x));
    b = _mm256_mul_ps(numbers(_mm_srli_si128(low, 8)), _mm256_loadu_ps(x + 8));
    a = _mm256_fmadd_ps(numbers(high), _mm256_loadu_ps(x + 16), a);
    b = _mm256_fmadd_ps(numbers(_mm_srli_si128(high, 8)), _mm256_loadu_ps(x + 24), b);
    return _mm256_add_ps(a, b);
}

AVX2 float row_avx2(const uint8_t *w, const float *scale, const float *x, int64_t cols)
{
    __m256 s = _mm256_setzero_ps(), t = s;
    int64_t c = 0;

    for (; c + 2 * GROUP <= cols; c += 2 * GROUP) {
        const int64_t g = c / GROUP;

        s = _mm256_fmadd_ps(group_avx2(w + c / 2, x + c), _mm256_broadcast_ss(scale + g), s);
        t = _mm256_fmadd_ps(group_avx2(w + c / 2 + GROUP / 2, x + c + GROUP), _mm256_broadcast_ss(scale + g + 1), t);
    }
    if (c < cols)
        s = _mm256_fmadd_ps(group_avx2(w + c / 2, x + c), _mm256_broadcast_ss(scale + c / GROUP), s);
    return lanes_sum(_mm256_add_ps(s, t));
}

__attribute__((target("avx2,fma"), unused)) static void rows_avx2(const struct aisp_call *call)
{
    const uint8_t *w = call->tensor[W];
    const float *scale = call->tensor[SCALE];
    const int64_t cols = call->param[COLS];
    float *y = call->tensor[Y];

    for (int64_t r = 0; r < call->param[ROWS]; r++)
        y[r] = row_avx2(w + r * cols / 2, scale + r * cols / GROUP, call->tensor[X], cols);
}

#endif
