/* rows.h - what is done with one row: the same in all variants, which differ in when they do it. */
#ifndef RANDOM_GATHER_ROWS_H
#define RANDOM_GATHER_ROWS_H

#include "problem.h"

enum { LINE = 64 };

static inline void row_clear(float *sum)
{
    for (int w = 0; w < WIDTH; w++)
        sum[w] = 0;
}

static inline void row_add(float *restrict sum, const float *restrict row)
{
    for (int w = 0; w < WIDTH; w++)
        sum[w] += row[w];
}

/* Asks for all lines of a row. A row need not begin with a line. */
static inline void row_prefetch(const float *row)
{
    for (int w = 0; w < WIDTH; w += LINE / (int)sizeof *row)
        __builtin_prefetch(row + w);
    __builtin_prefetch(row + WIDTH - 1);
}

#endif
