/* tile8.h - an 8x8 block of f32 turned in registers, shared by the rungs that use AVX2. */
#ifndef TRANSPOSE_TILE8_H
#define TRANSPOSE_TILE8_H

#include <immintrin.h>

/* v[i] holds row i on entry and column i on return: pairs, then quadruples, then halves of a
 * register change places. */
__attribute__((target("avx2"), always_inline)) static inline void turn8(__m256 v[8])
{
    __m256 pair[8], quad[8];

    for (int i = 0; i < 8; i += 2) {
        pair[i] = _mm256_unpacklo_ps(v[i], v[i + 1]);
        pair[i + 1] = _mm256_unpackhi_ps(v[i], v[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) {
        quad[i] = _mm256_shuffle_ps(pair[i], pair[i + 2], 0x44);
        quad[i + 1] = _mm256_shuffle_ps(pair[i], pair[i + 2], 0xee);
        quad[i + 2] = _mm256_shuffle_ps(pair[i + 1], pair[i + 3], 0x44);
        quad[i + 3] = _mm256_shuffle_ps(pair[i + 1], pair[i + 3], 0xee);
    }
    for (int i = 0; i < 4; i++) {
        v[i] = _mm256_permute2f128_ps(quad[i], quad[i + 4], 0x20);
        v[i + 4] = _mm256_permute2f128_ps(quad[i], quad[i + 4], 0x31);
    }
}

/* What no 8x8 block covers: rows [r0, r1) by columns [c0, c1). */
static inline void turn_edge(const float *x, float *y, int64_t rows, int64_t cols, int64_t r0,
                             int64_t r1, int64_t c0, int64_t c1)
{
    for (int64_t c = c0; c < c1; c++)
        for (int64_t r = r0; r < r1; r++)
            y[c * rows + r] = x[r * cols + c];
}

#endif
