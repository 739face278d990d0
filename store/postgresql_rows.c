/* postgresql_rows.c - a queue of rows whose memory has a bound. */
#include "store/postgresql_rows.h"

#include <stdlib.h>
#include <string.h>

enum { IN_MEMORY_BYTES = 4 << 20 };

static enum aisp_status fail(struct aisp_err *err)
{
    return aisp_fail_errno(err, AISP_E_IO, "a temporary file for rows of the shared store cannot be written");
}

static enum aisp_status flush(struct aisp_pg_rows *rows, struct aisp_err *err)
{
    if (!rows->file)
        rows->file = tmpfile();
    if (!rows->file || fwrite(rows->packed.s, 1, rows->packed.len, rows->file) != rows->packed.len)
        return fail(err);
    aisp_buf_release(&rows->packed);
    return AISP_OK;
}

enum aisp_status aisp_pg_rows_add(struct aisp_pg_rows *rows, const char *cell, int length, struct aisp_err *err)
{
    const int told = cell ? length : -1;

    aisp_buf_add(&rows->packed, &told, sizeof told);
    if (cell)
        aisp_buf_add(&rows->packed, cell, (size_t)length + 1);
    return rows->packed.len > IN_MEMORY_BYTES ? flush(rows, err) : AISP_OK;
}

enum aisp_status aisp_pg_rows_rewind(struct aisp_pg_rows *rows, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    if (!rows->file)
        return AISP_OK;
    if (rows->packed.len)
        AISP_TRY(flush(rows, err));
    if (fflush(rows->file) || fseek(rows->file, 0, SEEK_SET))
        return fail(err);
out:
    return st;
}

static bool take_from_memory(struct aisp_pg_rows *rows, const char **cell, int n)
{
    if (rows->at == rows->packed.len)
        return false;
    for (int i = 0; i < n; i++) {
        int length;

        memcpy(&length, rows->packed.s + rows->at, sizeof length);
        rows->at += sizeof length;
        cell[i] = length < 0 ? NULL : rows->packed.s + rows->at;
        rows->at += length < 0 ? 0 : (size_t)length + 1;
    }
    return true;
}

/* Cells are offsets first, since the row may move while it grows. */
static bool take_from_file(struct aisp_pg_rows *rows, const char **cell, int n)
{
    size_t *offset = aisp_xcalloc((size_t)n, sizeof *offset);
    char piece[4096];
    bool has = true;

    rows->row.len = 0;
    for (int i = 0; has && i < n; i++) {
        int length;

        has = fread(&length, sizeof length, 1, rows->file) == 1;
        offset[i] = has && length >= 0 ? rows->row.len : SIZE_MAX;
        for (size_t left = has && length >= 0 ? (size_t)length + 1 : 0; has && left;) {
            const size_t want = left < sizeof piece ? left : sizeof piece;

            has = fread(piece, 1, want, rows->file) == want;
            aisp_buf_add(&rows->row, piece, want);
            left -= want;
        }
    }
    for (int i = 0; has && i < n; i++)
        cell[i] = offset[i] == SIZE_MAX ? NULL : rows->row.s + offset[i];
    free(offset);
    return has;
}

bool aisp_pg_rows_take(struct aisp_pg_rows *rows, const char **cell, int n)
{
    return rows->file ? take_from_file(rows, cell, n) : take_from_memory(rows, cell, n);
}

void aisp_pg_rows_release(struct aisp_pg_rows *rows)
{
    if (rows->file)
        fclose(rows->file);
    aisp_buf_release(&rows->packed);
    aisp_buf_release(&rows->row);
    *rows = (struct aisp_pg_rows){ 0 };
}
