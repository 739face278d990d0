/* axis.h - where a value lies on a chart's axis, and at which values a tick is put.
 * Not here: what is drawn (marks.h), how a tick is written (report_figures.c, pdf_figures.c). */
#ifndef AISP_COMMANDS_REPORTS_AXIS_H
#define AISP_COMMANDS_REPORTS_AXIS_H

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
/* All pairs of a row and its interval. False: no pairs. */
bool aisp_axis_of_pairs(const struct aisp_report_row *row, struct aisp_axis *axis);
/* All ratios and intervals of a report, and 1. False: there is none. */
bool aisp_axis_of_ratios(const struct aisp_report *report, struct aisp_axis *axis);

/* A tick in words, with as many digits as tell two neighbours apart: "1.20 ms", "0.95". */
void aisp_axis_label(const struct aisp_axis *axis, const struct aisp_ticks *ticks, int i, bool is_time, char text[48]);

/* A sorted copy; caller frees. */
double *aisp_sorted_of(const double *x, size_t n);

#endif
