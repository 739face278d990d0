/* pane.c - wrapped text. */
#include "tui/pane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/list.h"
#include "tui/view.h"

void aisp_pane_release(struct aisp_pane *pane)
{
    free(pane->text);
    *pane = (struct aisp_pane){ 0 };
}

void aisp_pane_set(struct aisp_pane *pane, const char *text)
{
    free(pane->text);
    pane->text = aisp_xstrdup(text);
    pane->has_found = false;
}

/* ---- searching ---- */

/* The next place at or after `from` that has the query, from the beginning again if there is none. */
static void find(struct aisp_pane *pane, size_t from)
{
    const size_t n = strlen(pane->text), n_query = strlen(pane->query);

    pane->has_found = false;
    for (size_t i = 0; i < n && n_query && !pane->has_found; i++) {
        const size_t at = (from + i) % n;

        if (!strncasecmp(pane->text + at, pane->query, n_query)) {
            pane->found = at;
            pane->has_found = pane->wants_show = true;
        }
    }
}

static bool type(struct aisp_pane *pane, int key)
{
    if (key == AISP_KEY_ENTER || key == AISP_KEY_ESCAPE) {
        pane->is_typing = false;
        if (key == AISP_KEY_ESCAPE) {
            *pane->query = '\0';
            pane->has_found = false;
        }
        return true;
    }
    if (aisp_line_key(pane->query, sizeof pane->query, key))
        find(pane, pane->has_found ? pane->found : 0);
    return true;
}

bool aisp_pane_key(struct aisp_pane *pane, int key)
{
    const int page = pane->page > 1 ? pane->page - 1 : 1, last = pane->n_rows - pane->page;
    int to = pane->top;

    if (!pane->text)
        return false;
    if (pane->is_typing)
        return type(pane, key);
    if (key == '/') {
        pane->is_typing = true;
        *pane->query = '\0';
        pane->has_found = false;
        return true;
    }
    if (key == AISP_KEY_UP || key == 'k')
        to--;
    else if (key == AISP_KEY_DOWN || key == 'j')
        to++;
    else if (key == AISP_KEY_PAGE_UP)
        to -= page;
    else if (key == AISP_KEY_PAGE_DOWN || key == ' ')
        to += page;
    else if (key == AISP_KEY_HOME || key == 'g')
        to = 0;
    else if (key == AISP_KEY_END || key == 'G')
        to = last;
    else if (key == 'n' && *pane->query)
        find(pane, pane->has_found ? pane->found + 1 : 0);
    else
        return false;
    pane->top = to > last ? (last > 0 ? last : 0) : to < 0 ? 0 : to;
    return true;
}

/* ---- drawing ---- */

/* "\033[1;32m" sets a style; any other escape is skipped. Returns where the text goes on. */
static const char *take_escape(const char *at, int *style)
{
    const char *from = at + 1, *end;

    if (*from != '[')
        return from;
    end = from + 1 + strspn(from + 1, "0123456789;");
    if (*end != 'm')
        return *end ? end + 1 : end;
    for (const char *c = from + 1; c < end; c++)
        if (c[-1] == '[' || c[-1] == ';')
            switch (atoi(c)) {
            case 0: *style = AISP_TONE_PLAIN; break;
            case 1: *style |= AISP_MARK_BOLD; break;
            case 2: *style = AISP_TONE_DIM; break;
            case 31: *style = AISP_TONE_BAD; break;
            case 32: *style = AISP_TONE_GOOD; break;
            default: break;
            }
    return end + 1;
}

/* Where the row that begins at `at` ends: at a line's end, else after a blank, else at the width. */
static const char *end_of_row(const char *at, int columns)
{
    const char *after_blank = NULL;
    int used = 0, style = 0;

    while (*at && *at != '\n') {
        if (*at == '\033') {
            at = take_escape(at, &style);
            continue;
        }
        if (used == columns)
            return after_blank ? after_blank : at;
        if (aisp_utf8_next(&at) == ' ')
            after_blank = at;
        used++;
    }
    return at;
}

struct cursor { struct aisp_canvas *canvas; struct aisp_rect in; int style; };

/* One row; with canvas NULL only the style is followed. */
static void draw_row(struct cursor *to, int row, const char *from, const char *end)
{
    int column = 0;

    while (from < end) {
        const char *at = from;
        struct aisp_buf c = AISP_BUF_INIT;

        if (*from == '\033') {
            from = take_escape(from, &to->style);
            continue;
        }
        aisp_utf8_add(&c, aisp_utf8_next(&at));
        if (row >= 0 && row < to->in.rows)
            aisp_canvas_put(to->canvas, to->in.row + row, to->in.column + column, 1, to->style, c.s);
        aisp_buf_release(&c);
        from = at;
        column++;
    }
}

/* Rows before the offset. */
static int row_of(const char *text, size_t offset, int columns)
{
    const char *at = text;
    int n = 0;

    while (*at) {
        const char *end = end_of_row(at, columns);

        if ((size_t)(end - text) > offset)
            return n;
        at = *end == '\n' ? end + 1 : end;
        n++;
    }
    return n;
}

static void draw_prompt(const struct aisp_pane *pane, struct aisp_canvas *canvas, struct aisp_rect in)
{
    const int row = in.row + in.rows - 1;
    char place[40];

    if (pane->is_typing || *pane->query)
        aisp_canvas_printf(canvas, row, in.column + 1, in.columns - 24, pane->is_typing ? AISP_MARK_BOLD : AISP_TONE_PLAIN,
                           "/%s%s", pane->query, pane->is_typing ? "_" : pane->has_found ? "  (n: next)" : "  (not found)");
    snprintf(place, sizeof place, "%d-%d of %d", pane->n_rows ? pane->top + 1 : 0,
             pane->top + pane->page < pane->n_rows ? pane->top + pane->page : pane->n_rows, pane->n_rows);
    aisp_canvas_put_right(canvas, row, in.column, in.columns - 1, AISP_TONE_DIM, place);
}

void aisp_pane_draw(struct aisp_pane *pane, struct aisp_canvas *canvas, struct aisp_rect in)
{
    struct cursor to = { canvas, { in.row, in.column + 1, in.rows - 1, in.columns - 2 }, AISP_TONE_PLAIN };
    const char *at = pane->text;
    int row = 0, found_row;

    if (!at || in.rows < 2 || in.columns < 4)
        return;
    pane->page = in.rows - 1;
    pane->n_rows = row_of(at, strlen(at), to.in.columns);
    found_row = pane->has_found ? row_of(at, pane->found, to.in.columns) : -1;
    if (pane->wants_show && (found_row < pane->top || found_row >= pane->top + pane->page))
        pane->top = found_row - pane->page / 2;
    pane->wants_show = false;
    if (pane->top > pane->n_rows - pane->page)
        pane->top = pane->n_rows - pane->page;
    if (pane->top < 0)
        pane->top = 0;
    for (; *at; row++) {
        const char *end = end_of_row(at, to.in.columns);

        draw_row(&to, row - pane->top, at, end);
        if (row == found_row && row >= pane->top && row < pane->top + pane->page)
            aisp_canvas_mark(canvas, in.row + row - pane->top, in.column, in.columns, AISP_MARK_REVERSE);
        at = *end == '\n' ? end + 1 : end;
    }
    draw_prompt(pane, canvas, in);
}
