/* pdf_flow.h - text that flows over sheets: paragraphs that wrap, tables whose head comes again on the next sheet, rooms for
 * drawings that are not torn apart. All texts are UTF-8 and strangers'; what is too long for its place is wrapped, and cut
 * visibly after LINES_MAX lines.
 * Not here: what is said (pdf.c), drawings (pdf_figures.c). */
#ifndef AISP_COMMANDS_REPORTS_PDF_FLOW_H
#define AISP_COMMANDS_REPORTS_PDF_FLOW_H

#include "commands/reports/pdf_sheet.h"

enum { AISP_FLOW_LEFT = 48, AISP_FLOW_RIGHT = 547, AISP_FLOW_TOP = 62, AISP_FLOW_FOOT = 786 };
#define AISP_FLOW_WIDTH ((double)(AISP_FLOW_RIGHT - AISP_FLOW_LEFT))

enum { AISP_INK = 0x1c1e21, AISP_SOFT = 0x5a5f66, AISP_HAIR = 0xcfcac0 };

struct aisp_type { enum aisp_pdf_font font; double size; unsigned color; };

struct aisp_column { const char *title; double width; bool is_right; };
struct aisp_pdf_cell { const char *text, *note; unsigned color; bool is_bold; };     /* note: smaller, below; color 0: ink */

struct aisp_flow {
    struct aisp_pdf *pdf;
    double y;                                /* where the next line begins */
    const struct aisp_column *column;        /* of the table that is open; else NULL */
    size_t n_columns;
};

void aisp_flow_begin(struct aisp_flow *flow, struct aisp_pdf *pdf);
/* Room for `height` on this sheet, or on a new one. True: it is a new one. */
bool aisp_flow_need(struct aisp_flow *flow, double height);
void aisp_flow_skip(struct aisp_flow *flow, double height);

/* One line from x, its baseline at `y`, cut visibly at the width. Does not move on. Returns the width it took. */
double aisp_flow_put(struct aisp_flow *flow, double x, double y, double width, const struct aisp_type *type, const char *text);
/* The same, ending at x. */
void aisp_flow_put_right(struct aisp_flow *flow, double x, double y, double width, const struct aisp_type *type,
                         const char *text);
/* Wrapped over the whole width, and over sheets. */
void aisp_flow_paragraph(struct aisp_flow *flow, const struct aisp_type *type, const char *text);
/* Begins a part, with `room` for what follows at once. */
void aisp_flow_heading(struct aisp_flow *flow, double size, double room, const char *text);

/* A table; widths sum up to AISP_FLOW_WIDTH at most. A title of "" in all columns: no head. */
void aisp_flow_table(struct aisp_flow *flow, const struct aisp_column *column, size_t n);
void aisp_flow_row(struct aisp_flow *flow, const struct aisp_pdf_cell *cell);
void aisp_flow_table_end(struct aisp_flow *flow);

#endif
