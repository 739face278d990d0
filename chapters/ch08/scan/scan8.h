/* scan8.h - prefix sums inside of eight lanes of AVX2, and the portable loop, shared by the rungs. */
#ifndef SCAN_SCAN8_H
#define SCAN_SCAN8_H

#include <immintrin.h>
#include <stdint.h>

enum { LANES = 8 };

#define AVX2 __attribute__((target("avx2"), always_inline)) static inline

/* Goes on from `sum`; returns the sum after n elements. */
static inline float scan_portable(const float *x, float *y, int64_t n, float sum)
{
    for (int64_t i = 0; i < n; i++) {
        sum += x[i];
        y[i] = sum;
    }
    return sum;
}

/* Lane j of the result is v[0] + ... + v[j]: neighbours, then pairs, then the lower half's sum to the upper half. */
AVX2 __m256 scan8(__m256 v)
{
    __m256 lower;

    v = _mm256_add_ps(v, _mm256_castsi256_ps(_mm256_slli_si256(_mm256_castps_si256(v), 4)));
    v = _mm256_add_ps(v, _mm256_castsi256_ps(_mm256_slli_si256(_mm256_castps_si256(v), 8)));
    lower = _mm256_permute2f128_ps(v, v, 0x08); /* zeros, lower half of v */
    return _mm256_add_ps(v, _mm256_permute_ps(lower, 0xff));
}

/* The last lane in all lanes. */
AVX2 __m256 last8(__m256 v)
{
    return _mm256_permute_ps(_mm256_permute2f128_ps(v, v, 0x11), 0xff);
}

/* One row, with one addition from group to group (optimized_short_chain). */
__attribute__((target("avx2"))) static inline void scan_row_short(const float *x, float *y, int64_t n)
{
    __m256 sum = _mm256_setzero_ps();
    int64_t i = 0;

    for (; i + LANES <= n; i += LANES) {
        const __m256 v = scan8(_mm256_loadu_ps(x + i));

        _mm256_storeu_ps(y + i, _mm256_add_ps(v, sum));
        sum = _mm256_add_ps(sum, last8(v));
    }
    scan_portable(x + i, y + i, n - i, _mm256_cvtss_f32(sum));
}

#endif
