/* verify_report.h - what was verified of each target, as the report draws it. Not here: the command (bench_verify_report.c). */
#ifndef AISP_COMMANDS_VERIFY_REPORT_H
#define AISP_COMMANDS_VERIFY_REPORT_H

#include <jansson.h>

#include "core/base/buf.h"

/* {"targets": [{"target", "run", "started", "machine", "gpu", "results": [results of that run], "quarantined": {variant:
 * reason}}], "without": [targets that have no run], "gpu": NAME or null} */
void aisp_verify_report_markdown(const json_t *report, struct aisp_buf *out);
void aisp_verify_report_html(const json_t *report, struct aisp_buf *out);

#endif
