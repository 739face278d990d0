/* spread.h - the variance of each row: what the problem and its variants share. x (rows, cols) in, y (rows) out, f32. */
#ifndef TESTS_PROBLEMS_SPREAD_H
#define TESTS_PROBLEMS_SPREAD_H

#include <aisp/variant.h>

enum { X, Y };
enum { ROWS, COLS };

/* Around the mean, which is found first. */
static inline float two_passes(const float *x, int64_t n)
{
    float mean = 0, sum = 0;

    for (int64_t i = 0; i < n; i++)
        mean += x[i];
    mean /= (float)n;
    for (int64_t i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sum / (float)n;
}

#endif
