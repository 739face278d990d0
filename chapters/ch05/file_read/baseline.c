/* baseline - read a row, add it up, read the next. */
#include "rows.h"

enum { MOST_COLS = 4096 };

static enum aisp_status run(const struct aisp_call *call)
{
    const struct aisp_file *data = call->tensor[DATA];
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    const size_t bytes = (size_t)cols * sizeof(int32_t);
    int64_t *sum = call->tensor[SUM];
    int32_t row[MOST_COLS];

    if (cols > MOST_COLS)
        return AISP_E_USAGE;
    for (int64_t r = 0; r < rows; r++) {
        const enum aisp_status st = read_all(data->fd, row, bytes, (size_t)r * bytes);

        if (st)
            return st;
        sum_rows(row, &sum[r], 1, cols);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: a row at a time, as the loop wants them");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
