/* pdf_flow.c - lines, paragraphs and tables on sheets. */
#include "commands/reports/pdf_flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 14 };
#define LEADING 1.3 /* of a line, of its size */
#define GAP     6.0 /* between columns */
static const struct aisp_type head = { AISP_PDF_REGULAR, 7, AISP_SOFT };

void aisp_flow_begin(struct aisp_flow *flow, struct aisp_pdf *pdf)
{
    *flow = (struct aisp_flow){ .pdf = pdf, .y = AISP_FLOW_TOP };
    aisp_pdf_add_sheet(pdf);
}

static void put_head(struct aisp_flow *flow);

bool aisp_flow_need(struct aisp_flow *flow, double height)
{
    if (flow->y + height <= AISP_FLOW_FOOT || flow->y <= AISP_FLOW_TOP)
        return false;
    aisp_pdf_add_sheet(flow->pdf);
    flow->y = AISP_FLOW_TOP;
    if (flow->column)
        put_head(flow);
    return true;
}

void aisp_flow_skip(struct aisp_flow *flow, double height)
{
    flow->y += height;
}

/* ---- lines ---- */

/* How many bytes of the text go into a line, at least one; breaks behind a space where there is one. */
static size_t fit(const struct aisp_flow *flow, const struct aisp_type *type, const char *bytes, double width)
{
    size_t n = 0, space = 0;
    double x = 0;

    for (; bytes[n]; n++) {
        x += aisp_pdf_width_of(flow->pdf, type->font, type->size, bytes + n, 1);
        if (x > width)
            break;
        if (bytes[n] == ' ')
            space = n + 1;
    }
    if (!bytes[n])
        return n;
    return space ? space : n ? n : 1;
}

/* As much as the width holds, with dots where it was cut; caller frees. */
static char *cut(const struct aisp_flow *flow, const struct aisp_type *type, const char *bytes, double width)
{
    const double dots = aisp_pdf_width_of(flow->pdf, type->font, type->size, "...", 3);
    size_t n = strlen(bytes);

    if (aisp_pdf_width_of(flow->pdf, type->font, type->size, bytes, n) <= width)
        return aisp_xstrdup(bytes);
    while (n && aisp_pdf_width_of(flow->pdf, type->font, type->size, bytes, n) + dots > width)
        n--;
    return aisp_format("%.*s...", (int)n, bytes);
}

/* Encoded and cut; caller frees. */
static char *made_fit(const struct aisp_flow *flow, const struct aisp_type *type, const char *text, double width)
{
    char *bytes = aisp_pdf_encode(text), *fitting = cut(flow, type, bytes, width);

    free(bytes);
    return fitting;
}

static double put_bytes(struct aisp_flow *flow, double x, double y, const struct aisp_type *type, const char *bytes)
{
    if (*bytes)
        aisp_pdf_text(flow->pdf, x, y, type->font, type->size, type->color, bytes);
    return aisp_pdf_width_of(flow->pdf, type->font, type->size, bytes, strlen(bytes));
}

double aisp_flow_put(struct aisp_flow *flow, double x, double y, double width, const struct aisp_type *type, const char *text)
{
    char *bytes = made_fit(flow, type, text, width);
    const double took = put_bytes(flow, x, y, type, bytes);

    free(bytes);
    return took;
}

void aisp_flow_put_right(struct aisp_flow *flow, double x, double y, double width, const struct aisp_type *type,
                         const char *text)
{
    char *bytes = made_fit(flow, type, text, width);

    put_bytes(flow, x - aisp_pdf_width_of(flow->pdf, type->font, type->size, bytes, strlen(bytes)), y, type, bytes);
    free(bytes);
}

/* ---- paragraphs ---- */

/* The next line of what is left, at most LINES_MAX of them; NULL: that was all. Caller frees. */
static char *next_line(const struct aisp_flow *flow, const struct aisp_type *type, const char **left, double width, int line)
{
    const size_t n = fit(flow, type, *left, width);
    char *text;

    if (!**left || line >= LINES_MAX)
        return NULL;
    if (line == LINES_MAX - 1 && (*left)[n]) { /* cut() puts the dots */
        text = cut(flow, type, *left, width);
        *left += strlen(*left);
        return text;
    }
    text = aisp_format("%.*s", (int)n, *left);
    while (*text && text[strlen(text) - 1] == ' ')
        text[strlen(text) - 1] = 0;
    *left += n;
    return text;
}

void aisp_flow_paragraph(struct aisp_flow *flow, const struct aisp_type *type, const char *text)
{
    char *bytes = aisp_pdf_encode(text), *one;
    const char *left = bytes;

    for (int line = 0; (one = next_line(flow, type, &left, AISP_FLOW_WIDTH, line)); line++) {
        aisp_flow_need(flow, type->size * LEADING);
        put_bytes(flow, AISP_FLOW_LEFT, flow->y + type->size, type, one);
        flow->y += type->size * LEADING;
        free(one);
    }
    free(bytes);
}

void aisp_flow_heading(struct aisp_flow *flow, double size, double room, const char *text)
{
    const struct aisp_type type = { AISP_PDF_BOLD, size, AISP_INK };

    if (flow->y > AISP_FLOW_TOP)
        flow->y += size;
    aisp_flow_need(flow, size * LEADING + room);
    aisp_flow_paragraph(flow, &type, text);
    flow->y += size * 0.2;
}

/* ---- tables ---- */

static void rule(struct aisp_flow *flow)
{
    const struct aisp_pdf_pen pen = { .stroke = AISP_HAIR, .is_stroked = true, .width = 0.5 };
    const struct aisp_spot ends[] = { { AISP_FLOW_LEFT, flow->y }, { AISP_FLOW_RIGHT, flow->y } };

    aisp_pdf_path(flow->pdf, &pen, ends, 2);
}

static double width_of_text(const struct aisp_flow *flow, size_t i)
{
    return flow->column[i].width - (i + 1 < flow->n_columns ? GAP : 0);
}

static void put_head(struct aisp_flow *flow)
{
    double x = AISP_FLOW_LEFT;
    bool has_title = false;

    for (size_t i = 0; i < flow->n_columns; i++)
        has_title |= *flow->column[i].title != 0;
    for (size_t i = 0; has_title && i < flow->n_columns; x += flow->column[i++].width) {
        if (flow->column[i].is_right)
            aisp_flow_put_right(flow, x + width_of_text(flow, i), flow->y + head.size, width_of_text(flow, i), &head,
                                flow->column[i].title);
        else
            aisp_flow_put(flow, x, flow->y + head.size, width_of_text(flow, i), &head, flow->column[i].title);
    }
    flow->y += has_title ? head.size * 1.6 : 0;
    rule(flow);
    flow->y += 2;
}

void aisp_flow_table(struct aisp_flow *flow, const struct aisp_column *column, size_t n)
{
    aisp_flow_need(flow, 40);
    flow->column = column;
    flow->n_columns = n;
    put_head(flow);
}

void aisp_flow_table_end(struct aisp_flow *flow)
{
    flow->column = NULL;
    flow->y += 4;
}

/* Text, wrapped into a column at x; only counts the height where `is_drawn` is false. Returns that. */
static double put_wrapped(struct aisp_flow *flow, size_t i, double x, double y, const struct aisp_type *type, const char *text,
                          bool is_drawn)
{
    char *bytes = aisp_pdf_encode(text), *one;
    const char *left = bytes;
    int line = 0;

    for (; (one = next_line(flow, type, &left, width_of_text(flow, i), line)); line++) {
        const double width = aisp_pdf_width_of(flow->pdf, type->font, type->size, one, strlen(one));
        const double at = flow->column[i].is_right ? x + width_of_text(flow, i) - width : x;

        if (is_drawn)
            put_bytes(flow, at, y + type->size + line * type->size * LEADING, type, one);
        free(one);
    }
    free(bytes);
    return line * type->size * LEADING;
}

static double put_cell(struct aisp_flow *flow, size_t i, double x, const struct aisp_pdf_cell *cell, bool is_drawn)
{
    const struct aisp_type text = { cell->is_bold ? AISP_PDF_BOLD : AISP_PDF_REGULAR, 7.5,
                                    cell->color ? cell->color : AISP_INK };
    const struct aisp_type note = { AISP_PDF_REGULAR, 6.5, AISP_SOFT };
    double height = put_wrapped(flow, i, x, flow->y, &text, cell->text, is_drawn);

    if (cell->note && *cell->note)
        height += put_wrapped(flow, i, x, flow->y + height, &note, cell->note, is_drawn);
    return height;
}

void aisp_flow_row(struct aisp_flow *flow, const struct aisp_pdf_cell *cell)
{
    double x = AISP_FLOW_LEFT, height = 0;

    for (size_t i = 0; i < flow->n_columns; i++)
        height = fmax(height, put_cell(flow, i, 0, &cell[i], false));
    aisp_flow_need(flow, height + 4);
    for (size_t i = 0; i < flow->n_columns; x += flow->column[i++].width)
        put_cell(flow, i, x, &cell[i], true);
    flow->y += height + 2;
    rule(flow);
    flow->y += 2;
}
