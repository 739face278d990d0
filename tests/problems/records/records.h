/* records.h - what the variants of records share. */
#ifndef TESTS_PROBLEMS_RECORDS_H
#define TESTS_PROBLEMS_RECORDS_H

#include <unistd.h>

#include <aisp/variant.h>

enum { DATA, SUM };
enum { ROWS, COLS };

static inline void sum_rows(const int32_t *data, int64_t *sum, int64_t rows, int64_t cols)
{
    for (int64_t r = 0; r < rows; r++) {
        sum[r] = 0;
        for (int64_t c = 0; c < cols; c++)
            sum[r] += data[r * cols + c];
    }
}

#endif
