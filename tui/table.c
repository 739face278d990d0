/* table.c - rows of JSON in columns. */
#include "tui/table.h"

#include <stdlib.h>

void aisp_table_init(struct aisp_table *table, const struct aisp_table_column *column)
{
    *table = (struct aisp_table){ .column = column, .rows = json_array() };
}

void aisp_table_release(struct aisp_table *table)
{
    aisp_list_release(&table->list);
    json_decref(table->rows);
    table->rows = NULL;
}

static bool matches(const void *context, size_t i, const char *query)
{
    const struct aisp_table *table = context;
    const json_t *row = json_array_get(table->rows, i);
    bool has = !*query;

    if (table->lets && !table->lets(table->context, row))
        return false;
    for (const struct aisp_table_column *c = table->column; c->name && !has; c++) {
        struct aisp_buf text = AISP_BUF_INIT;

        c->put(&text, row);
        has = text.s && aisp_text_has(text.s, query);
        aisp_buf_release(&text);
    }
    return has;
}

void aisp_table_refilter(struct aisp_table *table)
{
    aisp_list_show(&table->list, json_array_size(table->rows), matches, table);
}

void aisp_table_set(struct aisp_table *table, const json_t *rows)
{
    json_decref(table->rows);
    table->rows = json_is_array(rows) ? json_incref((json_t *)rows) : json_array();
    aisp_table_refilter(table);
}

const json_t *aisp_table_picked(const struct aisp_table *table)
{
    return json_array_get(table->rows, aisp_list_picked(&table->list, json_array_size(table->rows)));
}

bool aisp_table_key(struct aisp_table *table, int key)
{
    const enum aisp_list_change change = aisp_list_key(&table->list, key);

    if (change == AISP_LIST_QUERY)
        aisp_table_refilter(table);
    return change != AISP_LIST_UNUSED;
}

/* ---- drawing ---- */

/* Width of each column, 0 for those that are left out. */
static void measure(const struct aisp_table *table, int columns, int *width)
{
    int left = columns - 1, rest = -1;

    for (int i = 0; table->column[i].name; i++) {
        const struct aisp_table_column *c = &table->column[i];

        width[i] = columns >= c->from ? c->width : 0;
        if (columns >= c->from && !c->width)
            rest = i;
        left -= width[i] ? width[i] + 1 : 0;
    }
    if (rest >= 0)
        width[rest] = left > 0 ? left : 0;
}

static void draw_head(const struct aisp_table *table, struct aisp_canvas *canvas, struct aisp_rect in, const int *width)
{
    int at = in.column + 1;

    for (int i = 0; table->column[i].name; i++) {
        const struct aisp_table_column *c = &table->column[i];

        if (!width[i])
            continue;
        if (c->is_right)
            aisp_canvas_put_right(canvas, in.row, at, width[i], AISP_TONE_DIM, c->name);
        else
            aisp_canvas_put(canvas, in.row, at, width[i], AISP_TONE_DIM, c->name);
        at += width[i] + 1;
    }
}

static void draw_row(const struct aisp_table *table, struct aisp_canvas *canvas, struct aisp_rect in, const int *width,
                     const json_t *row)
{
    int at = in.column + 1;

    for (int i = 0; table->column[i].name; i++) {
        const struct aisp_table_column *c = &table->column[i];
        const int style = c->style ? c->style(row) : AISP_TONE_PLAIN;
        struct aisp_buf text = AISP_BUF_INIT;

        if (!width[i])
            continue;
        c->put(&text, row);
        if (text.s && c->is_right)
            aisp_canvas_put_right(canvas, in.row, at, width[i], style, text.s);
        else if (text.s)
            aisp_canvas_put(canvas, in.row, at, width[i], style, text.s);
        if (text.s && aisp_text_columns(text.s) > width[i])
            aisp_canvas_put(canvas, in.row, at + width[i] - 1, 1, style, "\u2026");
        aisp_buf_release(&text);
        at += width[i] + 1;
    }
}

static void draw_foot(const struct aisp_table *table, struct aisp_canvas *canvas, struct aisp_rect in)
{
    const struct aisp_list *list = &table->list;
    const int row = in.row + in.rows - 1;
    char *count = aisp_format("%zu of %zu", list->n_shown ? list->at + 1 : 0, list->n_shown);

    if (list->is_typing || *list->query)
        aisp_canvas_printf(canvas, row, in.column + 1, in.columns - 20, list->is_typing ? AISP_MARK_BOLD : AISP_TONE_PLAIN,
                           "/%s%s", list->query, list->is_typing ? "_" : "  (Esc: all)");
    aisp_canvas_put_right(canvas, row, in.column, in.columns - 1, AISP_TONE_DIM, count);
    free(count);
}

void aisp_table_draw(struct aisp_table *table, struct aisp_canvas *canvas, struct aisp_rect in, const char *empty)
{
    int width[16] = { 0 };
    struct aisp_rect row = in;

    measure(table, in.columns, width);
    if (!json_array_size(table->rows)) {
        aisp_canvas_put(canvas, in.row + 1, in.column + 1, in.columns - 2, AISP_TONE_PLAIN, empty);
        return;
    }
    draw_head(table, canvas, in, width);
    aisp_list_fit(&table->list, in.rows - 2);
    for (int i = 0; i < in.rows - 2 && table->list.top + (size_t)i < table->list.n_shown; i++) {
        const size_t at = table->list.top + (size_t)i;

        row.row = in.row + 1 + i;
        draw_row(table, canvas, row, width, json_array_get(table->rows, table->list.shown[at]));
        if (at == table->list.at)
            aisp_canvas_mark(canvas, row.row, in.column, in.columns, AISP_MARK_REVERSE);
    }
    if (!table->list.n_shown)
        aisp_canvas_put(canvas, in.row + 1, in.column + 1, in.columns - 2, AISP_TONE_DIM, "nothing matches");
    draw_foot(table, canvas, in);
}
