/* canvas.c - characters into cells. */
#include "tui/canvas.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* ---- UTF-8 ---- */

uint32_t aisp_utf8_next(const char **at)
{
    const unsigned char *s = (const unsigned char *)*at;
    const int n = s[0] < 0x80 ? 0 : s[0] >= 0xc2 && s[0] < 0xe0 ? 1 : s[0] >= 0xe0 && s[0] < 0xf0 ? 2 :
                  s[0] >= 0xf0 && s[0] < 0xf5 ? 3 : -1;
    uint32_t c = n <= 0 ? s[0] : s[0] & (0x3fu >> n);

    for (int i = 1; i <= n; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            *at += i;
            return 0xfffd;
        }
        c = c << 6 | (s[i] & 0x3f);
    }
    *at += n < 0 ? 1 : n + 1;
    return n < 0 ? 0xfffd : c;
}

void aisp_utf8_add(struct aisp_buf *out, uint32_t c)
{
    char s[4];
    size_t n = 0;

    if (c < 0x80)
        s[n++] = (char)c;
    else if (c < 0x800)
        s[n++] = (char)(0xc0 | c >> 6);
    else if (c < 0x10000) {
        s[n++] = (char)(0xe0 | c >> 12);
        s[n++] = (char)(0x80 | (c >> 6 & 0x3f));
    } else {
        s[n++] = (char)(0xf0 | c >> 18);
        s[n++] = (char)(0x80 | (c >> 12 & 0x3f));
        s[n++] = (char)(0x80 | (c >> 6 & 0x3f));
    }
    if (c >= 0x80)
        s[n++] = (char)(0x80 | (c & 0x3f));
    aisp_buf_add(out, s, n);
}

int aisp_text_columns(const char *text)
{
    int n = 0;

    while (*text) {
        aisp_utf8_next(&text);
        n++;
    }
    return n;
}

/* ---- what may stand in a cell ---- */

/* The nearest ASCII of what the views use and records hold. */
static uint32_t ascii_of(uint32_t c)
{
    static const struct { uint32_t from; char to; } nearest[] = {
        { 0xb5, 'u' }, { 0x3bc, 'u' }, { 0xd7, 'x' }, { 0xb7, '.' }, { 0xb1, '~' }, { 0x2013, '-' }, { 0x2014, '-' },
        { 0x2026, '~' }, { 0x2018, '\'' }, { 0x2019, '\'' }, { 0x201c, '"' }, { 0x201d, '"' }, { 0x2264, '<' },
        { 0x2265, '>' }, { 0x2248, '~' }, { 0x2500, '-' }, { 0x2502, '|' }, { 0x253c, '+' }, { 0x2571, '/' }, { 0x2190, '<' },
        { 0x2192, '>' }, { 0x25b2, '^' }, { 0x25bc, 'v' }, { 0x25cf, 'o' }, { 0x25cb, 'o' }, { 0x2022, '*' }, { 0x25c6, '#' },
        { 0x2591, '.' },
        /* one eighth to eight eighths of a cell */
        { 0x2581, '_' }, { 0x2582, '.' }, { 0x2583, '-' }, { 0x2584, ':' }, { 0x2585, '=' }, { 0x2586, '+' }, { 0x2587, '*' },
        { 0x2588, '#' },
    };

    for (size_t i = 0; i < sizeof nearest / sizeof *nearest; i++)
        if (nearest[i].from == c)
            return (uint32_t)nearest[i].to;
    return '?';
}

static uint32_t shown(const struct aisp_canvas *canvas, uint32_t c)
{
    if (c >= ' ' && c < 0x7f)
        return c;
    if (c == '\t')
        return ' ';
    if (canvas->is_ascii)
        return ascii_of(c);
    return c > 0xa0 && wcwidth((wchar_t)c) == 1 ? c : '?';
}

/* ---- drawing ---- */

void aisp_canvas_init(struct aisp_canvas *canvas, int rows, int columns, bool is_ascii)
{
    rows = rows > 0 ? rows : 0;
    columns = columns > 0 ? columns : 0;
    *canvas = (struct aisp_canvas){ rows, columns, is_ascii, NULL };
    canvas->cell = aisp_xcalloc((size_t)rows * (size_t)columns + 1, sizeof *canvas->cell);
    for (int i = 0; i < rows; i++)
        aisp_canvas_fill(canvas, i, 0, columns, AISP_TONE_PLAIN);
}

void aisp_canvas_release(struct aisp_canvas *canvas)
{
    free(canvas->cell);
    *canvas = (struct aisp_canvas){ 0 };
}

struct aisp_rect aisp_canvas_all(const struct aisp_canvas *canvas)
{
    return (struct aisp_rect){ 0, 0, canvas->rows, canvas->columns };
}

static struct aisp_cell *cell_at(const struct aisp_canvas *canvas, int row, int column)
{
    if (row < 0 || row >= canvas->rows || column < 0 || column >= canvas->columns)
        return NULL;
    return &canvas->cell[row * canvas->columns + column];
}

int aisp_canvas_put(struct aisp_canvas *canvas, int row, int column, int width, int style, const char *text)
{
    int used = 0;

    for (; *text && used < width; used++) {
        const uint32_t c = shown(canvas, aisp_utf8_next(&text));
        struct aisp_cell *cell = cell_at(canvas, row, column + used);

        if (cell)
            *cell = (struct aisp_cell){ c, (uint8_t)style };
    }
    return used;
}

int aisp_canvas_printf(struct aisp_canvas *canvas, int row, int column, int width, int style, const char *format, ...)
{
    struct aisp_buf text = AISP_BUF_INIT;
    va_list args;
    int used;

    va_start(args, format);
    aisp_buf_vprintf(&text, format, args);
    va_end(args);
    used = aisp_canvas_put(canvas, row, column, width, style, text.s ? text.s : "");
    aisp_buf_release(&text);
    return used;
}

void aisp_canvas_put_right(struct aisp_canvas *canvas, int row, int column, int width, int style, const char *text)
{
    const int n = aisp_text_columns(text);

    aisp_canvas_put(canvas, row, column + (n < width ? width - n : 0), width, style, text);
}

void aisp_canvas_fill(struct aisp_canvas *canvas, int row, int column, int width, int style)
{
    for (int i = 0; i < width; i++) {
        struct aisp_cell *cell = cell_at(canvas, row, column + i);

        if (cell)
            *cell = (struct aisp_cell){ ' ', (uint8_t)style };
    }
}

void aisp_canvas_mark(struct aisp_canvas *canvas, int row, int column, int width, int style)
{
    for (int i = 0; i < width; i++) {
        struct aisp_cell *cell = cell_at(canvas, row, column + i);

        if (cell)
            cell->style |= (uint8_t)style;
    }
}

void aisp_canvas_copy(struct aisp_canvas *canvas, struct aisp_rect in, const struct aisp_canvas *from, int top)
{
    for (int i = 0; i < in.rows; i++)
        for (int j = 0; j < in.columns; j++) {
            const struct aisp_cell *cell = cell_at(from, top + i, j);
            struct aisp_cell *to = cell_at(canvas, in.row + i, in.column + j);

            if (cell && to)
                *to = *cell;
        }
}

int aisp_canvas_wrap(struct aisp_canvas *canvas, struct aisp_rect in, int style, const char *text)
{
    int row = 0;

    while (*text && row < in.rows) {
        const char *end = text, *blank = NULL;
        int used = 0;
        char *part;

        while (*end && used < in.columns) {
            if (*end == ' ')
                blank = end;
            aisp_utf8_next(&end);
            used++;
        }
        if (*end && *end != ' ' && blank)
            end = blank;
        part = aisp_format("%.*s", (int)(end - text), text);
        aisp_canvas_put(canvas, in.row + row++, in.column, in.columns, style, part);
        free(part);
        text = end + strspn(end, " ");
    }
    return row;
}

void aisp_canvas_rule(struct aisp_canvas *canvas, int row, int column, int width)
{
    for (int i = 0; i < width; i++)
        aisp_canvas_put(canvas, row, column + i, 1, AISP_TONE_DIM, "\u2500");
}

void aisp_canvas_text(const struct aisp_canvas *canvas, struct aisp_buf *out)
{
    for (int row = 0; row < canvas->rows; row++) {
        int last = canvas->columns;

        while (last > 0 && cell_at(canvas, row, last - 1)->character == ' ')
            last--;
        for (int i = 0; i < last; i++)
            aisp_utf8_add(out, cell_at(canvas, row, i)->character);
        aisp_buf_puts(out, "\n");
    }
}
