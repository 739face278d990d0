/* postgresql_rows.h - rows that were read before anybody asked for them, in order: packed in memory while they are few, in an
 * unnamed temporary file when they are many. */
#ifndef AISP_STORE_POSTGRESQL_ROWS_H
#define AISP_STORE_POSTGRESQL_ROWS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/buf.h"
#include "core/base/err.h"

struct aisp_pg_rows {
    struct aisp_buf packed;        /* of each cell its length (-1: NULL), bytes, 0 */
    size_t at;                     /* what was taken of it */
    FILE *file;                    /* NULL until there are many */
    struct aisp_buf row;           /* the row that was taken last from the file */
};

/* One cell after the other; cell NULL is NULL. Errors: AISP_E_IO. */
enum aisp_status aisp_pg_rows_add(struct aisp_pg_rows *rows, const char *cell, int length, struct aisp_err *err);
/* No more will be added: they are taken from now on. Errors: AISP_E_IO. */
enum aisp_status aisp_pg_rows_rewind(struct aisp_pg_rows *rows, struct aisp_err *err);
/* The next row of n cells, valid until the next is taken; false: there is none. */
bool aisp_pg_rows_take(struct aisp_pg_rows *rows, const char **cell, int n);
void aisp_pg_rows_release(struct aisp_pg_rows *rows);

#endif
