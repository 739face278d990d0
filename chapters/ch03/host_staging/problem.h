/* Names for what problem.c declares, in its order, and what is fixed. */
#ifndef HOST_STAGING_PROBLEM_H
#define HOST_STAGING_PROBLEM_H

#include <stdint.h>

enum { ROWS, FIELDS, BATCH, STEPS }; /* param[] */
enum { TABLE, START, PICK, Y };      /* tensor[] */
enum { OUTPUTS = 16 };               /* the first fields of a record, which the layer learns to tell from the others */

/* How far a step goes along the mean gradient: 1/32. */
#define RATE 0.03125

/* The record that a 31-bit pick names in a table of any size: pick / 2^31 of the way. */
static inline int64_t row_of(int32_t pick, int64_t rows)
{
    return (int64_t)((uint64_t)(uint32_t)pick * (uint64_t)rows >> 31);
}

#endif
