/* blocks.h - 128 columns from top to bottom, at a pitch that is no power of two; shared by the rungs that work on blocks. */
#ifndef BANK_CONFLICTS_BLOCKS_H
#define BANK_CONFLICTS_BLOCKS_H

#include <string.h>

#include "problem.h"

enum { BLOCK = 128, PITCH = BLOCK + 16 };

static inline size_t block_bytes(const int64_t *param)
{
    return (size_t)(param[ROWS] + TAPS - 1) * PITCH * sizeof(float);
}

static inline void block_copy(float *block, const float *x, int64_t rows)
{
    for (int64_t r = 0; r < rows; r++)
        memcpy(block + r * PITCH, x + r * COLS, BLOCK * sizeof *block);
}

#endif
