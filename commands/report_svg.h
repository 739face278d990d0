/* report_svg.h - a canvas of SVG: strips of 1000 x 100 units that are stretched to whatever width there is. Lines and dots keep
 * their thickness (non-scaling strokes), and all text stays outside, in HTML: so a chart is as legible on a telephone as on a
 * wall.
 * Not here: the marks (reports/marks.h), captions and labels (report_figures.c). Colours are classes of the style sheet. */
#ifndef AISP_COMMANDS_REPORT_SVG_H
#define AISP_COMMANDS_REPORT_SVG_H

#include "commands/reports/marks.h"

struct aisp_svg { struct aisp_plot canvas; struct aisp_buf *out; };

/* Writes the beginning of one <svg class="kind">, to which the canvas adds; end() writes its end. */
void aisp_svg_begin(struct aisp_svg *svg, struct aisp_buf *out, const char *kind);
void aisp_svg_end(struct aisp_svg *svg);

#endif
