/* ranges.h - which rows of an output are looked at, where all of them would be too dear.
 * Secret ranges, one in each quarter of the output. A range may begin before its quarter and is cut there, so that every row,
 * the first and the last of a quarter too, is looked at with the same probability. */
#ifndef AISP_RUN_RANGES_H
#define AISP_RUN_RANGES_H

#include <stdint.h>

#include "core/base/rng.h"

enum { AISP_MAX_RANGES = 4 };

struct aisp_range {
    int64_t first, n;
};

/* About n of `rows` rows, at least one; all of them if n >= rows. Returns the number of ranges, in order, none of them empty. */
int aisp_ranges_draw(struct aisp_dice *dice, int64_t rows, int64_t n,
                     struct aisp_range range[AISP_MAX_RANGES]);

/* The probability that one look does not see a row; the same for all rows of a quarter, here of the one that is seen least. */
double aisp_ranges_miss(int64_t rows, int64_t n);
/* The same of a block of neighbouring rows inside of a quarter. */
double aisp_ranges_miss_block(int64_t rows, int64_t n, int64_t block);

#endif
