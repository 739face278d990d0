/* group.h - rows in plain C, their scales out of the inner loop. */
#ifndef WEIGHT_ONLY_QUANT_GROUP_H
#define WEIGHT_ONLY_QUANT_GROUP_H

#include <stdint.h>

#include <aisp/variant.h>

#include "problem.h"

static inline float row_portable(const uint8_t *w, const float *scale, const float *x, int64_t cols)
{
    float y = 0;

    for (int64_t c = 0; c < cols; c += GROUP) {
        float sum[4] = { 0 };

        for (int64_t i = 0; i < GROUP; i += 4) {
            const int a = w[(c + i) / 2], b = w[(c + i) / 2 + 1];

            sum[0] += (float)((a & 15) - ZERO) * x[c + i];
            sum[1] += (float)((a >> 4) - ZERO) * x[c + i + 1];
            sum[2] += (float)((b & 15) - ZERO) * x[c + i + 2];
            sum[3] += (float)((b >> 4) - ZERO) * x[c + i + 3];
        }
        y += scale[c / GROUP] * ((sum[0] + sum[1]) + (sum[2] + sum[3]));
    }
    return y;
}

static inline void rows_portable(const struct aisp_call *call)
{
    const uint8_t *w = call->tensor[W];
    const float *scale = call->tensor[SCALE];
    const int64_t cols = call->param[COLS];
    float *y = call->tensor[Y];

    for (int64_t r = 0; r < call->param[ROWS]; r++)
        y[r] = row_portable(w + r * cols / 2, scale + r * cols / GROUP, call->tensor[X], cols);
}

#endif
