/* optimized_large_reads - half a MiB of rows with each read.
 * Expected: a hundred times fewer system calls, and readahead that is asked for more at once. How much that is worth depends on the
 * disk: on a fast one the calls were half of the time, on a slow one nothing.
 * Costs: scratch of half a MiB. */
#include "rows.h"

enum { PIECE_BYTES = 512 << 10 };

static int64_t rows_of_a_piece(const int64_t *param)
{
    const int64_t n = PIECE_BYTES / (param[COLS] * (int64_t)sizeof(int32_t));

    return n > 0 ? n : 1;
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(rows_of_a_piece(param) * param[COLS]) * sizeof(int32_t);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const struct aisp_file *data = call->tensor[DATA];
    const int64_t rows = call->param[ROWS], cols = call->param[COLS], step = rows_of_a_piece(call->param);
    const size_t row_bytes = (size_t)cols * sizeof(int32_t);
    int64_t *sum = call->tensor[SUM];

    for (int64_t r = 0; r < rows; r += step) {
        const int64_t n = rows - r < step ? rows - r : step;
        const enum aisp_status st = read_all(data->fd, call->workspace, (size_t)n * row_bytes, (size_t)r * row_bytes);

        if (st)
            return st;
        sum_rows(call->workspace, &sum[r], n, cols);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: half a MiB with each read\n"
             "expect: system calls / 100");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
