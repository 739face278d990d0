/* report_svg.h - the marks of the charts: strips of 1000 x 100 units that are stretched to whatever width there is. Lines and
 * dots keep their thickness (non-scaling strokes), and all text stays outside, in HTML: so a chart is as legible on a
 * telephone as on a wall.
 * Not here: figures, captions and labels (report_html.c). Colours are classes of the page's style sheet. */
#ifndef AISP_COMMANDS_REPORT_SVG_H
#define AISP_COMMANDS_REPORT_SVG_H

#include "commands/report.h"

/* From lo at the left edge to hi at the right, lo < hi; logarithmic where lo is far below hi. */
struct aisp_axis { double lo, hi; bool is_log; };
enum { AISP_MAX_TICKS = 8 };
struct aisp_ticks { double at[AISP_MAX_TICKS]; int n; double step; };    /* step: smallest distance between two */

/* Around [lo, hi] with some air. */
struct aisp_axis aisp_axis_around(double lo, double hi);
/* 0 at the left edge, 1 at the right; clamped. */
double aisp_axis_at(const struct aisp_axis *axis, double x);
void aisp_axis_ticks(const struct aisp_axis *axis, struct aisp_ticks *ticks);
/* What holds nearly all windows of both sides: the fastest 0.5 % and the slowest 1 % may lie outside. False: no windows. */
bool aisp_axis_of_times(const struct aisp_report_row *row, struct aisp_axis *axis);

/* How far a side's windows wander from its median: the smallest of 0.5 1 2 5 10 20 50 100 % that holds nearly all groups of
 * both sides. */
double aisp_drift_span(const struct aisp_report_row *row);

/* Each writes one <svg>. `tone` is a class. */
void aisp_svg_histogram(struct aisp_buf *out, const struct aisp_axis *axis, const struct aisp_report_series *series,
                        const char *tone);
void aisp_svg_drift(struct aisp_buf *out, const struct aisp_report_series *series, double span, const char *tone);
/* Pairs from the first (top) to the last, the interval behind them. */
void aisp_svg_pairs(struct aisp_buf *out, const struct aisp_axis *axis, const struct aisp_report_row *row);
/* A row of the forest: the interval, the ratio, and where 1 is. */
void aisp_svg_interval(struct aisp_buf *out, const struct aisp_axis *axis, const json_t *result, const char *tone);

#endif
