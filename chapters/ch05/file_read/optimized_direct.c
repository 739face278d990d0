/* optimized_direct - past the page cache, in pieces of a MiB, straight into aligned scratch.
 * Expected: the disk writes to the scratch itself: no copy, no page to find or give back; only it also waits for each piece, since
 * nobody reads ahead. It wins where the disk is fast and large pieces keep it busy.
 * Costs: scratch of a MiB and a page; offsets and lengths in whole pages; who reads the file again finds no cache. */
#include <fcntl.h>

#include "rows.h"

enum { PAGE = 4096, PIECE_BYTES = 1 << 20 };

static size_t workspace_bytes(const int64_t *param)
{
    return PIECE_BYTES + 2 * PAGE + (size_t)param[COLS] * sizeof(int32_t);
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    for (int i = 0; i < s->n_slots; i++) {
        const struct aisp_file *data = s->slot[i][DATA];

        if (fcntl(data->fd, F_SETFL, O_DIRECT))
            return AISP_E_UNAVAILABLE;
    }
    return AISP_OK;
}

/* Pieces end inside of rows: `kept` bytes of a row that has begun lie before the piece. */
static enum aisp_status run(const struct aisp_call *call)
{
    const struct aisp_file *data = call->tensor[DATA];
    const int64_t cols = call->param[COLS];
    const size_t row_bytes = (size_t)cols * sizeof(int32_t);
    char *const piece = (char *)(((uintptr_t)call->workspace + row_bytes + PAGE - 1) / PAGE * PAGE);
    int64_t *sum = call->tensor[SUM];
    size_t kept = 0;

    for (size_t at = 0; at < (size_t)data->bytes;) {
        const ssize_t got = pread(data->fd, piece, PIECE_BYTES, (off_t)at);
        const size_t left = (size_t)data->bytes - at, n = got > 0 && (size_t)got < left ? (size_t)got : left;
        char *from = piece - kept;
        int64_t rows;

        if (got <= 0)
            return AISP_E_IO;
        rows = (int64_t)((kept + n) / row_bytes);
        sum_rows((const int32_t *)from, sum, rows, cols);
        sum += rows;
        from += (size_t)rows * row_bytes;
        kept = (size_t)(piece + n - from);
        for (size_t i = 0; i < kept; i++) /* forwards: it may overlap itself */
            (piece - kept)[i] = from[i];
        at += n;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: the disk writes into our memory, past the page cache\n"
             "expect: bytes copied / 2");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .setup = setup, .run = run };
