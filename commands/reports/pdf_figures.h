/* pdf_figures.h - the figures of the PDF report: forest, and the panels of one comparison. */
#ifndef AISP_COMMANDS_REPORTS_PDF_FIGURES_H
#define AISP_COMMANDS_REPORTS_PDF_FIGURES_H

#include "commands/report_html.h"
#include "commands/reports/pdf_flow.h"

/* The colour of a tone, on white. */
unsigned aisp_pdf_tone(const char *tone);

/* A canvas that is a room on a sheet. */
struct aisp_pdf_room {
    struct aisp_plot canvas;
    struct aisp_flow *flow;
    double x, y, width, height;
};
struct aisp_pdf_room aisp_pdf_room_at(struct aisp_flow *flow, double x, double y, double width, double height);

/* All ratios with their intervals on one axis; nothing if there is none. */
void aisp_pdf_forest(struct aisp_flow *flow, const struct aisp_report *report);
/* Distribution, drift, pairs and roofline of one comparison, and their figures in words; only what is wrong with it where
 * there is nothing to draw. */
void aisp_pdf_panels(struct aisp_flow *flow, const struct aisp_report_row *row);

/* What the figures show; ends with NULL. */
extern const struct aisp_report_word aisp_pdf_figure_words[];

#endif
