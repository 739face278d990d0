/* expectations.h - where expectations lie, which of them a run is held against, and writing new ones.
 * Not here: what is in a file and how a result is judged (analysis/expectation.h). */
#ifndef AISP_COMMANDS_GATE_EXPECTATIONS_H
#define AISP_COMMANDS_GATE_EXPECTATIONS_H

#include "analysis/expectation.h"
#include "commands/gate/gate.h"

/* The source folder: DIR/ch07/expectations_KEY.json; labs lie beside it, DIR/../labs/matmul/expectations_KEY.json. */
struct aisp_expectation_files {
    const char *chapters_dir;
    json_t *loaded;              /* path -> expectations; null: there is no such file */
};
/* Errors: AISP_E_NOT_FOUND (no such folder). */
enum aisp_status aisp_expectation_files_init(struct aisp_expectation_files *files, const char *chapters_dir,
                                             struct aisp_err *err);
void aisp_expectation_files_release(struct aisp_expectation_files *files);

/* The file of a chapter, borrowed; *out is NULL if there is none. Errors: those of aisp_expectations_read, and AISP_E_USAGE
 * for a chapter or key that cannot be a path. */
enum aisp_status aisp_expectation_files_get(struct aisp_expectation_files *files, const char *chapter, const char *hardware,
                                            json_t **out, struct aisp_err *err);
/* Load whatever there is for this hardware, of all chapters. */
enum aisp_status aisp_expectation_files_load_all(struct aisp_expectation_files *files, const char *hardware,
                                                 struct aisp_err *err);

/* Was this row asked for when the run was made, so that it ought to have a result? Only a `bench run` of targets says so. */
bool aisp_expectation_was_asked(const json_t *manifest, const json_t *row);

/* Write what a run found, of one hardware key or (NULL) of all that it has, over what was expected of the same rows.
 * *value: {"run", "started", "chapters_dir", "updated": true, "files": [path], "rows": [{"target", "variant", "reference",
 * "device", "size", "state": "new|written|skipped", "reason", "before", "after"}]}; skipped: this run has no usable
 * figure of it, and what was expected of it stays.
 * Every file is read before the first is written. Errors: AISP_E_IO, AISP_E_USAGE, AISP_E_NOT_FOUND. */
enum aisp_status aisp_expectations_update(struct aisp_store *store, const struct aisp_gate_run *run, const char *hardware,
                                          const char *chapters_dir, json_t **value, struct aisp_err *err);
/* For a command that measures: is there a place for expectations, asked before the work; and, after it, the update of the run
 * that it recorded, of the request's --chapters-dir. */
enum aisp_status aisp_expectations_check_place(const struct aisp_request *request);
enum aisp_status aisp_expectations_update_run(const struct aisp_request *request, const char *run, json_t **value);
/* As text, for that value. */
void aisp_expectations_update_render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out);

#endif
