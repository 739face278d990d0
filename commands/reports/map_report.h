/* map_report.h - the crossover maps of a report, in each of its forms, and what they share.
 * Not here: a map's marks (crossing.h), its words (commands/sweep/map.h). */
#ifndef AISP_COMMANDS_REPORTS_MAP_REPORT_H
#define AISP_COMMANDS_REPORTS_MAP_REPORT_H

#include "commands/report.h"
#include "commands/reports/pdf_flow.h"
#include "commands/sweep/map.h"

void aisp_markdown_maps(const struct aisp_report *report, struct aisp_buf *out);
void aisp_html_maps(const struct aisp_report *report, struct aisp_buf *out);
void aisp_pdf_maps(struct aisp_flow *flow, const struct aisp_report *report);

/* ---- shared ---- */

/* result NULL: not measured */
struct aisp_map_point { const char *variant, *point; const json_t *result; const char *trouble; };
typedef void aisp_map_row(void *context, const struct aisp_map_point *point);
/* Variant by variant. */
void aisp_map_each_point(const struct aisp_report *report, const json_t *map, aisp_map_row *put, void *context);
/* What was found of a series: its crossovers one by one, or that there is none. */
size_t aisp_map_n_found(const json_t *series);
void aisp_map_put_found(const json_t *series, size_t i, struct aisp_buf *out);

#endif
