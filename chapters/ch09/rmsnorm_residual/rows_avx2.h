/* rows_avx2.h - the first loop of a row for AVX2, and the row for machines without it. */
#ifndef RMSNORM_RESIDUAL_ROWS_AVX2_H
#define RMSNORM_RESIDUAL_ROWS_AVX2_H

#include <math.h>
#include <stdint.h>

#include "kit/lanes.h"
#include "problem.h"

enum { LANES = 8, SUMS = 4 };

struct row {
    const float *x, *r, *g;
    float *h, *y;
    int64_t cols;
};

static inline float factor_of(float squares, int64_t cols)
{
    return 1 / sqrtf(squares / (float)cols + EPSILON);
}

static inline void row_portable(const struct row *w)
{
    float s[4] = { 0 }, factor;

    for (int64_t c = 0; c < w->cols; c++) {
        w->h[c] = w->x[c] + w->r[c];
        s[c & 3] += w->h[c] * w->h[c];
    }
    factor = factor_of((s[0] + s[1]) + (s[2] + s[3]), w->cols);
    for (int64_t c = 0; c < w->cols; c++)
        w->y[c] = w->h[c] * factor * w->g[c];
}

/* Sum of the squares of x + r, which go to h unless that is NULL. */
AVX2 float row_squares(const struct row *w, float *h)
{
    __m256 s[SUMS];
    float rest = 0;
    int64_t c = 0;

    for (int k = 0; k < SUMS; k++)
        s[k] = _mm256_setzero_ps();
    for (; c + SUMS * LANES <= w->cols; c += SUMS * LANES)
        for (int k = 0; k < SUMS; k++) {
            const int64_t at = c + k * LANES;
            const __m256 v = _mm256_add_ps(_mm256_loadu_ps(w->x + at), _mm256_loadu_ps(w->r + at));

            if (h)
                _mm256_storeu_ps(h + at, v);
            s[k] = _mm256_fmadd_ps(v, v, s[k]);
        }
    for (; c < w->cols; c++) {
        const float v = w->x[c] + w->r[c];

        if (h)
            h[c] = v;
        rest += v * v;
    }
    return rest + lanes_sum(_mm256_add_ps(_mm256_add_ps(s[0], s[1]), _mm256_add_ps(s[2], s[3])));
}

#endif
