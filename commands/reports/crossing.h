/* crossing.h - the marks of a crossover map: ratio over a swept parameter, or, over two, a heat map.
 * Not here: the map itself (commands/sweep/map.h), captions and tables (map_html.c, map_pdf.c, map_markdown.c). */
#ifndef AISP_COMMANDS_REPORTS_CROSSING_H
#define AISP_COMMANDS_REPORTS_CROSSING_H

#include "commands/reports/marks.h"

/* The swept values from left to right, on logarithms where their steps are factors; ratios and intervals of all series of a
 * map upwards, and 1. False: nothing was measured, or it is no map over one parameter. */
bool aisp_crossing_axes(const json_t *map, struct aisp_axis *x, struct aisp_axis *y);
/* So many of the swept values as have room. */
void aisp_crossing_ticks(const json_t *map, const struct aisp_axis *x, struct aisp_ticks *ticks);
/* "4096", "64Ki", "16Mi" */
void aisp_crossing_label(double value, char text[32]);
/* One series: its ratios with their intervals, the line at 1, and a band where a crossover lies. Bars above: here it wins;
 * below: here the reference does. */
void aisp_marks_crossing(struct aisp_plot *canvas, const json_t *map, size_t series);

/* Over two parameters: the first from the top downwards, the second to the right; a cell is the greener the faster, the redder
 * the slower, and hatched where it is UNSURE. */
bool aisp_map_is_grid(const json_t *map);
void aisp_marks_heat(struct aisp_plot *canvas, const json_t *map, size_t series);

#endif
