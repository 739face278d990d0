/* rows.h - what all variants do with the bytes once they are there: whole rows of one piece of the file. */
#ifndef FILE_READ_ROWS_H
#define FILE_READ_ROWS_H

#include <unistd.h>

#include <aisp/variant.h>

#include "problem.h"

/* data (rows, cols), sum (rows) */
static inline void sum_rows(const int32_t *data, int64_t *sum, int64_t rows, int64_t cols)
{
    for (int64_t r = 0; r < rows; r++) {
        int64_t s = 0;

        for (int64_t c = 0; c < cols; c++)
            s += data[r * cols + c];
        sum[r] = s;
    }
}

/* All of it, or an error: a read may give less than was asked for. */
static inline enum aisp_status read_all(int fd, void *to, size_t n, size_t at)
{
    while (n > 0) {
        const ssize_t got = pread(fd, to, n, (off_t)at);

        if (got <= 0)
            return AISP_E_IO;
        to = (char *)to + got;
        at += (size_t)got;
        n -= (size_t)got;
    }
    return AISP_OK;
}

#endif
