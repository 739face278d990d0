/* window.h - one query and the keys that it sees, in plain C. */
#ifndef SLIDING_WINDOW_WINDOW_H
#define SLIDING_WINDOW_WINDOW_H

#include <math.h>

#include "problem.h"

/* `s` holds a score for each of the n keys. */
static inline void attend(const float *q, const float *restrict k, const float *restrict v, float *restrict o,
                          float *restrict s, int64_t n, int64_t dim)
{
    const float scale = 1 / sqrtf((float)dim);
    float max = -INFINITY, sum = 0;

    for (int64_t j = 0; j < n; j++) {
        float dot = 0;

        for (int64_t d = 0; d < dim; d++)
            dot += q[d] * k[j * dim + d];
        s[j] = dot * scale;
        max = s[j] > max ? s[j] : max;
    }
    for (int64_t j = 0; j < n; j++) {
        s[j] = expf(s[j] - max);
        sum += s[j];
    }
    for (int64_t d = 0; d < dim; d++)
        o[d] = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t d = 0; d < dim; d++)
            o[d] += s[j] / sum * v[j * dim + d];
}

#endif
