/* report_html.h - what the parts of the HTML report share: escaping, and the style sheet. */
#ifndef AISP_COMMANDS_REPORT_HTML_H
#define AISP_COMMANDS_REPORT_HTML_H

#include "commands/report.h"

extern const char aisp_report_css[];

/* As text of an element or of an attribute in double quotes. Control characters become spaces. */
void aisp_html_put(struct aisp_buf *out, const char *text);
/* The same of what was made in `text`, which is emptied. */
void aisp_html_put_made(struct aisp_buf *out, struct aisp_buf *text);

/* "good", "bad", "unsure", "same", "plain": the class of a verdict */
const char *aisp_html_tone(const json_t *result);

/* All ratios with their intervals on one axis; nothing if there is none. */
void aisp_html_forest(struct aisp_buf *out, const struct aisp_report *report);
/* Distribution, drift, pairs and roofline of one comparison, and the same in numbers. */
void aisp_html_panels(struct aisp_buf *out, const struct aisp_report_row *row);

#endif
