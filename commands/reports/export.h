/* export.h - inside `bench export`: rows of the store as lines of a format, written on as they come, so that a million of them
 * need no more memory than one.
 * Not here: runs with their evidence for another store (commands/store/export.c), a run to read (commands/report.h). */
#ifndef AISP_COMMANDS_REPORTS_EXPORT_H
#define AISP_COMMANDS_REPORTS_EXPORT_H

#include <stdio.h>

#include "commands/command.h"
#include "store/query.h"

struct aisp_export {
    const struct aisp_request *request;
    struct aisp_store *store;
    const char *run;                         /* its full id; NULL: of all runs */
    bool no_timestamps;                      /* OpenMetrics */
    int64_t limit, after_at, after_id;       /* of rows: at most so many, behind this one; 0: all, from the first */
    int64_t last_at, last_id;                /* the last row that was written */
    bool has_more;
    json_t *quarantine;
    FILE *file;                              /* or, without one, the front-end's lines; without those, `text` */
    const char *path;                        /* of the file, for errors */
    struct aisp_buf pending, text;
    int64_t n_results, n_quarantined;
    bool is_failed;                          /* the disk */
    bool is_too_long;                        /* for one value */
};

/* What is asked of the store. */
struct aisp_filter aisp_export_filter(const struct aisp_export *export);
/* Is the variant of a row or its reference in quarantine? */
bool aisp_export_is_quarantined(const struct aisp_export *export, const struct aisp_result_row *row);
/* Write on what was put into `pending` (with its ends of line) once that is much. False: stop, the disk is full, the value is, or
 * the user does not want more. */
bool aisp_export_flow(struct aisp_export *export);

/* Visit the rows that are asked for, counted. */
enum aisp_status aisp_export_each(struct aisp_export *export, aisp_result_visitor *put, struct aisp_err *err);

enum aisp_status aisp_export_csv(struct aisp_export *export, struct aisp_err *err);
enum aisp_status aisp_export_json(struct aisp_export *export, struct aisp_err *err);
enum aisp_status aisp_export_markdown(struct aisp_export *export, struct aisp_err *err);
enum aisp_status aisp_export_openmetrics(struct aisp_export *export, struct aisp_err *err);

/* The fewest digits that read back as the same number. */
void aisp_export_put_real(struct aisp_buf *out, double x);

#endif
