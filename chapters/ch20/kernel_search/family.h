/* family.h - one kernel written as a family: a tile of `rows` x `vectors` sums (eight columns to a vector) is kept in registers
 * while the rows of x under it pass by once, and each vector of x serves all rows of y that it touches. The loop along a row
 * of the filter is kept or written out. 6 x 4 x 2 = 48 members, all with the same sums in the same order.
 * MEMBER(rows, vectors, flat) makes one; EACH_MEMBER(...) makes something of each.
 * Which one is best is not to be seen from the text, and that is the point of this target. */
#ifndef KERNEL_SEARCH_FAMILY_H
#define KERNEL_SEARCH_FAMILY_H

#include <immintrin.h>
#include <stdint.h>

#include <aisp/variant.h>

#include "problem.h"

enum { LANES = 8, MOST_ROWS = 6, MOST_VECTORS = 4 };

#define INLINE_AVX2 __attribute__((target("avx2,fma"), always_inline)) static inline

struct image {
    const float *x, *w;
    float *y;
    int64_t height, width; /* of y; x has TAPS - 1 more of both */
};

struct member {
    int rows, vectors, flat;
    void (*tile)(const struct image *image, int64_t row, int64_t col);
};

static inline struct image image_of(const struct aisp_call *call)
{
    return (struct image){ .x = call->tensor[X],
                           .w = call->tensor[WEIGHTS],
                           .y = call->tensor[Y],
                           .height = call->param[HEIGHT],
                           .width = call->param[WIDTH] };
}

/* Row i of x under a tile, its columns from k on: its part of the rows i - TAPS + 1 to i of the tile. */
INLINE_AVX2 void add_taps(const int rows, const int vectors, const int i, const float *x, const float *w,
                          __m256 sum[MOST_ROWS][MOST_VECTORS])
{
    __m256 in[MOST_VECTORS];

#pragma GCC unroll 8
    for (int v = 0; v < vectors; v++)
        in[v] = _mm256_loadu_ps(x + v * LANES);
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++)
        if (i >= r && i - r < TAPS) {
            const __m256 weight = _mm256_broadcast_ss(w + (i - r) * TAPS);

#pragma GCC unroll 8
            for (int v = 0; v < vectors; v++)
                sum[r][v] = _mm256_fmadd_ps(weight, in[v], sum[r][v]);
        }
}

/* The tile at (row, col) of y, all of it inside. rows, vectors and flat are constants of each call site. */
INLINE_AVX2 void tile(const int rows, const int vectors, const int flat, const struct image *image, int64_t row, int64_t col)
{
    const int64_t stride = image->width + TAPS - 1;
    const float *x = image->x + row * stride + col;
    float *y = image->y + row * image->width + col;
    __m256 sum[MOST_ROWS][MOST_VECTORS];

#pragma GCC unroll 8
    for (int r = 0; r < rows; r++)
#pragma GCC unroll 8
        for (int v = 0; v < vectors; v++)
            sum[r][v] = _mm256_setzero_ps();
#pragma GCC unroll 16
    for (int i = 0; i < rows + TAPS - 1; i++, x += stride) {
        if (flat) {
#pragma GCC unroll 8
            for (int k = 0; k < TAPS; k++)
                add_taps(rows, vectors, i, x + k, image->w + k, sum);
        } else {
#pragma GCC unroll 1
            for (int k = 0; k < TAPS; k++)
                add_taps(rows, vectors, i, x + k, image->w + k, sum);
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++)
#pragma GCC unroll 8
        for (int v = 0; v < vectors; v++)
            _mm256_storeu_ps(y + r * image->width + v * LANES, sum[r][v]);
}

#define MEMBER(rows, vectors, flat)                                                                                          \
    __attribute__((target("avx2,fma"), noinline)) static void tile_##rows##x##vectors##_##flat(const struct image *image,    \
                                                                                                int64_t row, int64_t col)    \
    {                                                                                                                        \
        tile(rows, vectors, flat, image, row, col);                                                                          \
    }
#define NAMED(rows, vectors, flat) { rows, vectors, flat, tile_##rows##x##vectors##_##flat }

#define EACH_FLAT(DO, rows, vectors) DO(rows, vectors, 0) DO(rows, vectors, 1)
#define EACH_VECTORS(DO, rows) EACH_FLAT(DO, rows, 1) EACH_FLAT(DO, rows, 2) EACH_FLAT(DO, rows, 3) EACH_FLAT(DO, rows, 4)
#define EACH_MEMBER(DO)                                                                                                      \
    EACH_VECTORS(DO, 1) EACH_VECTORS(DO, 2) EACH_VECTORS(DO, 3) EACH_VECTORS(DO, 4) EACH_VECTORS(DO, 5) EACH_VECTORS(DO, 6)

/* Any machine, any rectangle of y: rows [r0, r1) by columns [c0, c1). */
static inline void filter_portable(const struct image *image, int64_t r0, int64_t r1, int64_t c0, int64_t c1)
{
    const int64_t stride = image->width + TAPS - 1;

    for (int64_t r = r0; r < r1; r++) {
        float *y = image->y + r * image->width;

        for (int64_t c = c0; c < c1; c++)
            y[c] = 0;
        for (int i = 0; i < TAPS; i++)
            for (int k = 0; k < TAPS; k++) {
                const float *x = image->x + (r + i) * stride + k, w = image->w[i * TAPS + k];

                for (int64_t c = c0; c < c1; c++)
                    y[c] += w * x[c];
            }
    }
}

/* All of y in tiles of one member. What is left at the right and at the bottom is done by tiles that are moved back, over sums
 * that are there already and come out the same; an image smaller than a tile takes the portable way. */
static inline void filter(const struct image *image, const struct member *m)
{
    const int64_t rows = m->rows, cols = m->vectors * LANES, height = image->height, width = image->width;

    if (height < rows || width < cols) {
        filter_portable(image, 0, height, 0, width);
        return;
    }
    for (int64_t r = 0; r < height; r += rows)
        for (int64_t c = 0; c < width; c += cols)
            m->tile(image, r < height - rows ? r : height - rows, c < width - cols ? c : width - cols);
}

static inline int is_fast(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

#endif
