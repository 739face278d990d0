/* chart.h - small pictures out of characters: a series in one row, a bar, an interval on an axis, the roofline.
 * Not here: what is drawn. */
#ifndef AISP_TUI_CHART_H
#define AISP_TUI_CHART_H

#include <stddef.h>

#include "tui/canvas.h"

/* n values from lo to hi as eighths of a row, drawn over `width` columns: what shares a column is its largest (counts) or its
 * mean. NaN leaves a gap; with is_counts 0 is a gap and more is seen, however little. */
void aisp_chart_spark(struct aisp_canvas *canvas, struct aisp_rect in, int style, const double *x, size_t n, double lo,
                      double hi, bool is_counts);
void aisp_chart_bar(struct aisp_canvas *canvas, struct aisp_rect in, int style, double part);
/* The interval [lo, hi] with its centre, and where 1 is, on an axis that holds both. */
void aisp_chart_interval(struct aisp_canvas *canvas, struct aisp_rect in, int style, double centre, double lo, double hi);

/* Log-log: ceilings of memory and arithmetic, the point below them. */
struct aisp_tui_roof { double intensity, gflops, peak_gflops, peak_gbps; };
void aisp_chart_roof(struct aisp_canvas *canvas, struct aisp_rect in, const struct aisp_tui_roof *roof);

#endif
