/* canvas.h - a screen in memory: a grid of characters with a style each, on which the views draw.
 * Not here: the terminal (screen.h), what is drawn (views/).
 * Why a grid between the two: a view is then a function from its model to characters, tested without a terminal; and nothing
 * but printable characters can reach one, whatever a record holds. */
#ifndef AISP_TUI_CANVAS_H
#define AISP_TUI_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/buf.h"

/* A tone (one of the first) and marks. Without colour the marks and the words remain: no tone says anything alone. */
enum {
    AISP_TONE_PLAIN, AISP_TONE_GOOD, AISP_TONE_BAD, AISP_TONE_UNSURE, AISP_TONE_ACCENT, AISP_TONE_DIM,
    AISP_TONES = 7,                          /* mask */
    AISP_MARK_BOLD = 8, AISP_MARK_REVERSE = 16,
};

struct aisp_cell { uint32_t character; uint8_t style; };

struct aisp_canvas {
    int rows, columns;
    bool is_ascii;                           /* what is no ASCII is drawn by its nearest */
    struct aisp_cell *cell;
};

struct aisp_rect { int row, column, rows, columns; };

void aisp_canvas_init(struct aisp_canvas *canvas, int rows, int columns, bool is_ascii);
void aisp_canvas_release(struct aisp_canvas *canvas);
struct aisp_rect aisp_canvas_all(const struct aisp_canvas *canvas);

/* UTF-8 text from (row, column), cut after `width` columns and at the edge; returns the columns used. What cannot be shown as
 * one column reads "?". */
int aisp_canvas_put(struct aisp_canvas *canvas, int row, int column, int width, int style, const char *text);
int aisp_canvas_printf(struct aisp_canvas *canvas, int row, int column, int width, int style, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* The same, with its end at column + width. */
void aisp_canvas_put_right(struct aisp_canvas *canvas, int row, int column, int width, int style, const char *text);
/* Blanks. */
void aisp_canvas_fill(struct aisp_canvas *canvas, int row, int column, int width, int style);
/* Change the marks of what is there: `style` is added. */
void aisp_canvas_mark(struct aisp_canvas *canvas, int row, int column, int width, int style);
/* Rows of `from`, its first being `top`, into the rectangle: for what is taller than the screen. */
void aisp_canvas_copy(struct aisp_canvas *canvas, struct aisp_rect in, const struct aisp_canvas *from, int top);
/* Text broken at blanks into at most so many rows; returns the rows used. */
int aisp_canvas_wrap(struct aisp_canvas *canvas, struct aisp_rect in, int style, const char *text);
void aisp_canvas_rule(struct aisp_canvas *canvas, int row, int column, int width);

/* The characters as lines without blanks at their ends: for tests. */
void aisp_canvas_text(const struct aisp_canvas *canvas, struct aisp_buf *out);

/* Columns that a UTF-8 text takes. */
int aisp_text_columns(const char *text);
/* The next character of UTF-8; U+FFFD for a byte that is none. */
uint32_t aisp_utf8_next(const char **at);
void aisp_utf8_add(struct aisp_buf *out, uint32_t character);

#endif
