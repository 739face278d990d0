/* marks.h - the marks of the charts, on a canvas of 1000 x 100 units, y downwards. A canvas stretches them to whatever room
 * there is; lines and dots keep their thickness, and all text stays outside: so one drawing serves a page of HTML
 * (report_svg.h) and a page of paper (pdf_figures.c).
 * Not here: axes (axis.h), captions and labels. Tones are names: "a" and "b" for reference and variant, "good", "bad", ... */
#ifndef AISP_COMMANDS_REPORTS_MARKS_H
#define AISP_COMMANDS_REPORTS_MARKS_H

#include "commands/reports/axis.h"

enum aisp_mark {
    AISP_MARK_LINE,
    AISP_MARK_AREA,      /* filled, with an outline; closed */
    AISP_MARK_BAND,      /* filled faintly, behind the rest; closed */
    AISP_MARK_DOT,
    AISP_MARK_HOLE,      /* what makes a dot hollow */
    AISP_MARK_DOTS,      /* small ones, of no tone */
    AISP_MARK_RULE,      /* a line that only helps the eye */
    AISP_MARK_ONE,       /* dashed: no difference */
    AISP_MARK_CELL,      /* of a heat map, filled; its tone says how strongly: "good s1" to "good s4" */
    AISP_N_MARKS
};

struct aisp_spot { double x, y; };
struct aisp_plot {
    void (*put)(struct aisp_plot *canvas, enum aisp_mark mark, const char *tone, const struct aisp_spot *spot, size_t n);
};

void aisp_marks_histogram(struct aisp_plot *canvas, const struct aisp_axis *axis, const struct aisp_report_series *series,
                          const char *tone);

/* How far a side's windows wander from its median: the smallest of 0.5 1 2 5 10 20 50 100 % that holds nearly all groups of
 * both sides. */
double aisp_drift_span(const struct aisp_report_row *row);
void aisp_marks_drift(struct aisp_plot *canvas, const struct aisp_report_series *series, double span, const char *tone);

/* Pairs from the first (top) to the last, the interval behind them. */
void aisp_marks_pairs(struct aisp_plot *canvas, const struct aisp_axis *axis, const struct aisp_report_row *row);
/* A row of the forest: the interval, the ratio, and where 1 is. */
void aisp_marks_interval(struct aisp_plot *canvas, const struct aisp_axis *axis, const json_t *result, const char *tone);

/* Both sides under the measured ceilings: rate over flop / byte, or, where no arithmetic is declared or its ceiling was not
 * measured, only bytes a second (left to right). */
void aisp_marks_roofline(struct aisp_plot *canvas, const struct aisp_report_roof *roof);

#endif
