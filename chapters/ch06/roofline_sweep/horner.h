/* horner.h - the scalar rule, for tails and for machines without SIMD. */
#ifndef ROOFLINE_SWEEP_HORNER_H
#define ROOFLINE_SWEEP_HORNER_H

#include <stdint.h>

static inline void horner_portable(const float *x, const float *c, float *y, int64_t n, int64_t terms)
{
    for (int64_t i = 0; i < n; i++) {
        float sum = c[terms];

        for (int64_t k = terms - 1; k >= 0; k--)
            sum = sum * x[i] + c[k];
        y[i] = sum;
    }
}

#endif
