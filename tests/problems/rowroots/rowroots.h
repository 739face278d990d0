/* rowroots.h - y[r] = sum over a row of sqrt(x). Four MiB of input, more than can be made new for each window, and enough work
 * that skipping rows pays.
 * x (rows, cols) in, y (rows) out, f32. */
#ifndef TESTS_PROBLEMS_ROWROOTS_H
#define TESTS_PROBLEMS_ROWROOTS_H

#include <math.h>

#include <aisp/variant.h>

enum { X, Y };
enum { ROWS, COLS };

static inline float row_sum(const float *x, int64_t n)
{
    float sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += sqrtf(x[i]);
    return sum;
}

#endif
