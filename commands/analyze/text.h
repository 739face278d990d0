/* text.h - JSON and text that the analysing commands share.
 * Not here: times and ratios (commands/report.h). */
#ifndef AISP_COMMANDS_ANALYZE_TEXT_H
#define AISP_COMMANDS_ANALYZE_TEXT_H

#include "analysis/rows.h"
#include "commands/command.h"

json_t *aisp_real_or_null(double x);
/* {"value", "lo95", "hi95"}; null if it does not exist */
json_t *aisp_measured_json(const struct aisp_measured *m);
/* Who: {"target", "variant", "device", "run", "key", "grade", "verdict", "ratio", "lo95", "hi95"} */
json_t *aisp_row_json(const struct aisp_result_row *row);
struct aisp_measured aisp_measured_from(const json_t *value);

/* "ch07:transpose/optimized_tiled" in `width` columns; the middle of what is longer is left out; 0: all. */
void aisp_put_who(struct aisp_buf *out, const json_t *row, int width);
/* Padded to `width` (to the right if negative). */
void aisp_put_padded(struct aisp_buf *out, const char *text, int width);
void aisp_put_measured(struct aisp_buf *out, const struct aisp_measured *m, int width);   /* "2.03 [2.01, 2.06]" */
void aisp_put_bytes(struct aisp_buf *out, double bytes, int width);                       /* "1.50 MiB", "not measured" */
/* Four digits and a power of 1000: "12.3 k". */
void aisp_put_number(struct aisp_buf *out, double x, int width);
void aisp_put_time(struct aisp_buf *out, double ns, int width);
/* A paragraph of at most 80 columns; the first line begins with `first` spaces, the others with `rest`. */
void aisp_put_wrapped(struct aisp_buf *out, int first, int rest, const char *text);
/* Whose results these are, and what was left out; then "explain" as the last line. */
void aisp_put_head(struct aisp_buf *out, const json_t *value);
void aisp_put_explained(struct aisp_buf *out, const json_t *value);

#endif
