/* history_text.h - the value of `bench history` as text of at most 80 columns. */
#ifndef AISP_COMMANDS_HISTORY_TEXT_H
#define AISP_COMMANDS_HISTORY_TEXT_H

#include "commands/command.h"

void aisp_history_render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out);

/* n numbers (NaN: a gap) as block characters from the least to the largest of them, `columns` at most: where there are more
 * numbers, a column shows the median of those that fall into it. Returns the number of columns. */
size_t aisp_sparkline(const double *x, size_t n, size_t columns, struct aisp_buf *out);

#endif
