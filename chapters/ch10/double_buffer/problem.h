/* Names for what problem.c declares, in its order. */
#ifndef DOUBLE_BUFFER_PROBLEM_H
#define DOUBLE_BUFFER_PROBLEM_H

#include <stdint.h>

enum { ROWS, WIDTH, PICKS }; /* param[] */
enum { TABLE, W, PICK, Y };  /* tensor[] */
enum { OUTPUTS = 16 };       /* columns of w and y */

/* A pick is any of 2^31 numbers, spread evenly over the rows. */
static inline int64_t row_of(int32_t pick, int64_t rows)
{
    return (int64_t)pick * rows >> 31;
}

#endif
