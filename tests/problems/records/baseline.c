/* baseline - read a row, add it up. */
#include "tests/problems/records/records.h"

enum { MOST_COLS = 1024 };

static enum aisp_status run(const struct aisp_call *c)
{
    const struct aisp_file *data = c->tensor[DATA];
    const int64_t cols = c->param[COLS];
    const size_t bytes = (size_t)cols * sizeof(int32_t);
    int64_t *sum = c->tensor[SUM];
    int32_t row[MOST_COLS];

    for (int64_t r = 0; r < c->param[ROWS]; r++) {
        if (pread(data->fd, row, bytes, (off_t)((size_t)r * bytes)) != (ssize_t)bytes)
            return AISP_E_IO;
        sum_rows(row, &sum[r], 1, cols);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: a row at a time");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
