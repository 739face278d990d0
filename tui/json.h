/* json.h - read what commands answer, and write its numbers for people, as the text of the commands has them.
 * Not here: what the fields mean (commands/result.h). */
#ifndef AISP_TUI_JSON_H
#define AISP_TUI_JSON_H

#include <jansson.h>
#include <stdbool.h>

#include "core/base/buf.h"
#include "core/json.h"

/* Numbers of an array; caller frees, *n is how many. What is none is NaN. */
double *aisp_json_numbers(const json_t *array, size_t *n);

/* "-" for what was not measured. */
void aisp_tui_put_time(struct aisp_buf *out, double ns);                         /* "8.21 ms" */
void aisp_tui_put_ratio(struct aisp_buf *out, const json_t *result);             /* "2.034 [2.011, 2.058]" */
void aisp_tui_put_roof(struct aisp_buf *out, const json_t *result);              /* "61% (bytes)" */
void aisp_tui_put_params(struct aisp_buf *out, const json_t *result);            /* "default: rows=2048 cols=2048" */
/* Why it is UNSURE or INVALID, and what more it would take. */
void aisp_tui_put_why(struct aisp_buf *out, const json_t *result);
void aisp_tui_put_key(struct aisp_buf *out, const json_t *object, const char *key);
void aisp_tui_put_date(struct aisp_buf *out, const json_t *object,
                       const char *key); /* seconds since 1970: "2026-11-28 07:05" */

/* A tone of canvas.h. */
int aisp_tui_verdict_style(const char *verdict);

#endif
