/* overlap.h - rows that a data set has in two parts, which must not share any.
 * Exact, by contents: rows are found by hash and then compared byte for byte. */
#ifndef AISP_JUDGE_OVERLAP_H
#define AISP_JUDGE_OVERLAP_H

#include <stddef.h>
#include <stdint.h>

struct aisp_row_range { const void *base; int64_t n; size_t bytes; };   /* bytes of each */

/* How many rows of `train` are rows of `test` too; the first such pair into *first_train and *first_test (else -1). */
int64_t aisp_overlap_count(const struct aisp_row_range *train, const struct aisp_row_range *test, int64_t *first_train,
                           int64_t *first_test);

#endif
