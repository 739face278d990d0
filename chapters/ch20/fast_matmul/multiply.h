/* multiply.h - the inner multiplication of all variants, and Strassen's scheme on top of it.
 * A matrix is a pointer and the distance of its rows. */
#ifndef FAST_MATMUL_MULTIPLY_H
#define FAST_MATMUL_MULTIPLY_H

#include <string.h>

#include <aisp/variant.h>

#include "problem.h"

struct matrix { float *x; int64_t ld; };

enum { COLUMNS = 128, DEPTH = 64 }; /* of a piece of b that stays in the caches: 32 KiB */

/* c (m,n) = a (m,k) b (k,n), row by row, four terms of k at a time. */
static inline void multiply(struct matrix a, struct matrix b, struct matrix c, int64_t m, int64_t n, int64_t k)
{
    for (int64_t i = 0; i < m; i++)
        memset(c.x + i * c.ld, 0, (size_t)n * sizeof(float));
    for (int64_t j0 = 0; j0 < n; j0 += COLUMNS)
        for (int64_t p0 = 0; p0 < k; p0 += DEPTH) {
            const int64_t j1 = j0 + COLUMNS < n ? j0 + COLUMNS : n, p1 = p0 + DEPTH < k ? p0 + DEPTH : k;

            for (int64_t i = 0; i < m; i++) {
                float *restrict to = c.x + i * c.ld;
                int64_t p = p0;

                for (; p + 4 <= p1; p += 4) {
                    const float *x = a.x + i * a.ld + p, *y = b.x + p * b.ld;

                    for (int64_t j = j0; j < j1; j++)
                        to[j] += (x[0] * y[j] + x[1] * y[b.ld + j]) + (x[2] * y[2 * b.ld + j] + x[3] * y[3 * b.ld + j]);
                }
                for (; p < p1; p++)
                    for (int64_t j = j0; j < j1; j++)
                        to[j] += a.x[i * a.ld + p] * b.x[p * b.ld + j];
            }
        }
}

static inline struct matrix quarter(struct matrix x, int64_t half, int row, int column)
{
    return (struct matrix){ x.x + row * half * x.ld + column * half, x.ld };
}

/* to = x + sign y */
static inline void add(struct matrix x, struct matrix y, float sign, struct matrix to, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            to.x[i * to.ld + j] = x.x[i * x.ld + j] + sign * y.x[i * y.ld + j];
}

/* to += sign x */
static inline void accumulate(struct matrix x, float sign, struct matrix to, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            to.x[i * to.ld + j] += sign * x.x[i * x.ld + j];
}

static inline size_t strassen_floats(int64_t n, int levels)
{
    size_t floats = 0;

    for (; levels > 0; levels--, n /= 2)
        floats += 3 * (size_t)(n / 2 * (n / 2));
    return floats;
}

/* c = a b, n a multiple of 2^levels; scratch of strassen_floats(). The seven products one after the other through one temporary, each
 * added to the quarters of c that it belongs to. Source: V. Strassen, Gaussian elimination is not optimal, 1969. */
static inline void strassen(struct matrix a, struct matrix b, struct matrix c, int64_t n, int levels, float *scratch)
{
    /* The product of the sums of two quarters of a and two of b (the second may be none), and where it goes. */
    static const struct product {
        int8_t a[2][2], a_sign, b[2][2], b_sign, to[2][2], sign[2];
    } products[7] = {
        { { { 0, 0 }, { 1, 1 } }, 1, { { 0, 0 }, { 1, 1 } }, 1, { { 0, 0 }, { 1, 1 } }, { 1, 1 } },
        { { { 1, 0 }, { 1, 1 } }, 1, { { 0, 0 }, { 0, 0 } }, 0, { { 1, 0 }, { 1, 1 } }, { 1, -1 } },
        { { { 0, 0 }, { 0, 0 } }, 0, { { 0, 1 }, { 1, 1 } }, -1, { { 0, 1 }, { 1, 1 } }, { 1, 1 } },
        { { { 1, 1 }, { 0, 0 } }, 0, { { 1, 0 }, { 0, 0 } }, -1, { { 0, 0 }, { 1, 0 } }, { 1, 1 } },
        { { { 0, 0 }, { 0, 1 } }, 1, { { 1, 1 }, { 0, 0 } }, 0, { { 0, 0 }, { 0, 1 } }, { -1, 1 } },
        { { { 1, 0 }, { 0, 0 } }, -1, { { 0, 0 }, { 0, 1 } }, 1, { { 1, 1 }, { 0, 0 } }, { 1, 0 } },
        { { { 0, 1 }, { 1, 1 } }, -1, { { 1, 0 }, { 1, 1 } }, 1, { { 0, 0 }, { 0, 0 } }, { 1, 0 } },
    };
    const int64_t half = n / 2;
    struct matrix left = { scratch, half }, right = { scratch + half * half, half }, product = { scratch + 2 * half * half, half };

    if (levels == 0) {
        multiply(a, b, c, n, n, n);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        memset(c.x + i * c.ld, 0, (size_t)n * sizeof(float));
    for (int p = 0; p < 7; p++) {
        const struct product *s = &products[p];
        struct matrix x = quarter(a, half, s->a[0][0], s->a[0][1]), y = quarter(b, half, s->b[0][0], s->b[0][1]);

        if (s->a_sign) {
            add(x, quarter(a, half, s->a[1][0], s->a[1][1]), s->a_sign, left, half);
            x = left;
        }
        if (s->b_sign) {
            add(y, quarter(b, half, s->b[1][0], s->b[1][1]), s->b_sign, right, half);
            y = right;
        }
        strassen(x, y, product, half, levels - 1, scratch + 3 * half * half);
        for (int i = 0; i < 2; i++)
            if (s->sign[i])
                accumulate(product, s->sign[i], quarter(c, half, s->to[i][0], s->to[i][1]), half);
    }
}

/* Sizes that are no multiple of 2^levels get rows and columns of zeros, in copies. */
static inline int64_t padded(int64_t n, int levels)
{
    const int64_t step = INT64_C(1) << levels;

    return (n + step - 1) / step * step;
}

static inline size_t fast_bytes(const int64_t *param, int levels)
{
    const int64_t n = padded(param[SIZE], levels);

    return (strassen_floats(n, levels) + (n == param[SIZE] ? 0 : 3 * (size_t)(n * n))) * sizeof(float);
}

static inline void fast_multiply(const struct aisp_call *call, int levels)
{
    const int64_t size = call->param[SIZE], n = padded(size, levels);
    struct matrix a = { call->tensor[A], size }, b = { call->tensor[B], size }, c = { call->tensor[C], size };
    float *scratch = call->workspace;

    if (n == size) {
        strassen(a, b, c, n, levels, scratch);
        return;
    }
    memset(scratch, 0, 2 * (size_t)(n * n) * sizeof(float));
    for (int64_t i = 0; i < size; i++) {
        memcpy(scratch + i * n, a.x + i * size, (size_t)size * sizeof(float));
        memcpy(scratch + (n + i) * n, b.x + i * size, (size_t)size * sizeof(float));
    }
    strassen((struct matrix){ scratch, n }, (struct matrix){ scratch + n * n, n }, (struct matrix){ scratch + 2 * n * n, n }, n, levels,
             scratch + 3 * n * n);
    for (int64_t i = 0; i < size; i++)
        memcpy(c.x + i * size, scratch + (2 * n + i) * n, (size_t)size * sizeof(float));
}

#endif
