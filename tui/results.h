/* results.h - the columns of results, as the views of a run and of a live run have them. */
#ifndef AISP_TUI_RESULTS_H
#define AISP_TUI_RESULTS_H

#include "tui/table.h"

extern const struct aisp_table_column aisp_result_columns[];
/* "optimized_tiled" -> "tiled" */
const char *aisp_tui_short_name(const char *variant);
/* "ch07:transpose tiled" */
void aisp_tui_put_comparison(struct aisp_buf *out, const json_t *result);
/* "3 FASTER, 1 UNSURE" */
void aisp_tui_put_verdict_counts(struct aisp_buf *out, const json_t *results);

#endif
