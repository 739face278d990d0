/* pairs16.h - products of a matrix of 16-bit numbers with up to four vectors at a time, exact in 32 bits: AVX2.
 * The matrix is copied once: sixteen rows make a block, in which the first two numbers of all its rows lie side by side, then the
 * next two; what lacks at the ends is zeros. A step takes 64 bytes of the matrix, in a row and on a line, and one pair of numbers of
 * each vector; its sums are those of sixteen rows, and no lanes are to be added up.
 * Not here: where the copies and the vectors lie, and what is done without AVX2. */
#ifndef AISP_KIT_PAIRS16_H
#define AISP_KIT_PAIRS16_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#define PAIRS_AVX2 __attribute__((target("avx2"), always_inline)) static inline

enum { PAIRS_LANES = 8, PAIRS_BLOCK = 2 * PAIRS_LANES, PAIRS_AT_ONCE = 4, PAIR = 2 };

static inline int64_t pairs_whole(int64_t n)
{
    return (n + PAIRS_BLOCK - 1) / PAIRS_BLOCK * PAIRS_BLOCK;
}

/* Numbers of the copy of a matrix of so many rows; whole blocks of pairs are a multiple of 64 bytes. */
static inline int64_t pairs_copied(int64_t rows, int64_t dim)
{
    return pairs_whole(rows) * ((dim + 1) / PAIR * PAIR);
}

/* to: 64-byte aligned, zeros. */
static inline void pairs_copy(int16_t *to, const int16_t *w, int64_t rows, int64_t dim)
{
    for (int64_t r = 0; r < rows; r++) {
        int16_t *block = to + pairs_copied(r / PAIRS_BLOCK * PAIRS_BLOCK, dim) + r % PAIRS_BLOCK * PAIR;

        for (int64_t i = 0; i < dim; i++)
            block[i / PAIR * PAIR * PAIRS_BLOCK + i % PAIR] = w[r * dim + i];
    }
}

/* A block of rows times n vectors, n a constant: 2 n sums in registers. x[vector], `apart` numbers from one to the next, each with
 * zeros up to a whole pair; u[vector][row], `rows` from one to the next. */
PAIRS_AVX2 void pairs_block(const int16_t *w, const int16_t *x, int64_t apart, int64_t dim, int32_t *u, int64_t rows, const int n)
{
    __m256i sum[PAIRS_AT_ONCE][2];

    for (int p = 0; p < n; p++)
        sum[p][0] = sum[p][1] = _mm256_setzero_si256();
    for (int64_t i = 0; i < dim; i += PAIR) {
        const __m256i low = _mm256_load_si256((const __m256i *)(w + i * PAIRS_BLOCK));
        const __m256i high = _mm256_load_si256((const __m256i *)(w + i * PAIRS_BLOCK + PAIR * PAIRS_LANES));

        for (int p = 0; p < n; p++) {
            int32_t pair;
            __m256i pairs;

            memcpy(&pair, x + p * apart + i, sizeof pair);
            pairs = _mm256_set1_epi32(pair);
            sum[p][0] = _mm256_add_epi32(sum[p][0], _mm256_madd_epi16(low, pairs));
            sum[p][1] = _mm256_add_epi32(sum[p][1], _mm256_madd_epi16(high, pairs));
        }
    }
    for (int p = 0; p < n; p++) {
        _mm256_storeu_si256((__m256i *)(u + p * rows), sum[p][0]);
        _mm256_storeu_si256((__m256i *)(u + p * rows + PAIRS_LANES), sum[p][1]);
    }
}

/* u = W x for n vectors, any number of them, and all rows. A block of rows serves all vectors before the next is taken: it
 * stays in the first level. */
__attribute__((target("avx2"))) static inline void pairs_product(const int16_t *w, int64_t w_rows, const int16_t *x, int64_t n,
                                                                 int64_t apart, int64_t dim, int32_t *u, int64_t rows)
{
    for (int64_t r = 0; r < w_rows; r += PAIRS_BLOCK, w += pairs_copied(PAIRS_BLOCK, dim))
        for (int64_t p = 0; p < n; p += PAIRS_AT_ONCE) {
            const int16_t *from = x + p * apart;
            int32_t *to = u + p * rows + r;

            switch (n - p) {
            case 1: pairs_block(w, from, apart, dim, to, rows, 1); break;
            case 2: pairs_block(w, from, apart, dim, to, rows, 2); break;
            case 3: pairs_block(w, from, apart, dim, to, rows, 3); break;
            default: pairs_block(w, from, apart, dim, to, rows, PAIRS_AT_ONCE); break;
            }
        }
}

#endif
