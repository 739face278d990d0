/* table.h - JSON objects as the rows of a table: columns with a text made from the object, scrolling and search of list.h.
 * Not here: which columns (views/). */
#ifndef AISP_TUI_TABLE_H
#define AISP_TUI_TABLE_H

#include <jansson.h>

#include "tui/canvas.h"
#include "tui/list.h"

struct aisp_table_column {
    const char *name;                        /* NULL ends the list */
    int width;                               /* 0: what the others leave */
    int from;                                /* shown on screens of at least so many columns */
    bool is_right;
    void (*put)(struct aisp_buf *out, const json_t *row);
    int (*style)(const json_t *row);         /* NULL: plain */
};

struct aisp_table {
    const struct aisp_table_column *column;
    json_t *rows;                            /* array; a reference of its own */
    struct aisp_list list;
    bool (*lets)(const void *context, const json_t *row);    /* a filter beside the search; or NULL */
    const void *context;
};

void aisp_table_init(struct aisp_table *table, const struct aisp_table_column *column);
void aisp_table_release(struct aisp_table *table);
void aisp_table_set(struct aisp_table *table, const json_t *rows);
void aisp_table_refilter(struct aisp_table *table);
/* Borrowed; NULL: none. */
const json_t *aisp_table_picked(const struct aisp_table *table);
/* True if the key was for the table. */
bool aisp_table_key(struct aisp_table *table, int key);
/* Head, rows, and the search at the bottom; `empty` is shown if there are no rows at all. */
void aisp_table_draw(struct aisp_table *table, struct aisp_canvas *canvas, struct aisp_rect in, const char *empty);

#endif
