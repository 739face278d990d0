/* store.h - remember every run. A folder of artifacts, whose index may be a server's (AISP_STORE=postgresql://user@host/db) that
 * many machines share; then the evidence texts are there too, and the folder holds what this machine measured:
 *   ARTIFACTS/aisp.sqlite                    the index: append-only, numbered schema files
 *   ARTIFACTS/runs/RUN/manifest.json         machine, software, options, seed commitments (written first)
 *   ARTIFACTS/runs/RUN/evidence/KEY.json          one comparison each, complete
 *   ARTIFACTS/runs/RUN/results.json          all results (written last; a run without it is incomplete)
 *   ARTIFACTS/runs/RUN/report.md, report.html
 * Not here: judging a run (checks/), comparing runs (analysis/).
 * Why append-only: a result that can be edited cannot be evidence. */
#ifndef AISP_STORE_H
#define AISP_STORE_H

#include <jansson.h>
#include <stdbool.h>

#include "core/base/err.h"

struct aisp_store;
enum { AISP_RUN_ID_MAX = 48 };

/* Open or create. Two processes may have it open at once. Errors: AISP_E_IO with path and reason: not a database, made by a
 * newer aisp (schema 7, this one knows 1 to 3), read-only folder, disk full. Nothing that was there is touched then. For reading
 * neither of the last two matters, unless a writer that was killed left something to put in order. */
enum aisp_status aisp_store_open(struct aisp_store **store, const char *artifacts_dir, bool for_writing, struct aisp_err *err);
void aisp_store_close(struct aisp_store *store);

/* Start a run: makes its folder, writes manifest.json (adding "run"), records it as incomplete. Run ids sort by time:
 * 20261128T070501Z-1f3a9c. */
enum aisp_status aisp_store_run_begin(struct aisp_store *store, json_t *manifest, char run[AISP_RUN_ID_MAX],
                                      struct aisp_err *err);
/* One comparison, durable when this returns: evidence file first (write, fsync, rename), then the row. result needs "key"
 * (unique in the run, file-name safe), "target", "variant", "device", "grade"; adding a key twice is AISP_E_USAGE. */
enum aisp_status aisp_store_result_add(struct aisp_store *store, const char *run, const json_t *result,
                                       const json_t *evidence, struct aisp_err *err);
/* Seal: results.json, the index row "complete", in one transaction. */
enum aisp_status aisp_store_run_finish(struct aisp_store *store, const char *run, json_t *summary, struct aisp_err *err);

/* {"run", "complete", "manifest", "results": [...], "summary"}. run "latest" is the newest complete one, a unique prefix will
 * do. Errors: AISP_E_NOT_FOUND, AISP_E_IO. */
enum aisp_status aisp_store_run_load(struct aisp_store *store, const char *run, json_t **out, struct aisp_err *err);
/* The newest incomplete run whose manifest `is_wanted` (NULL: any) and that no process is at, for --resume. It is this store's
 * from now on, until it is sealed or the store is closed. Errors: AISP_E_NOT_FOUND. */
enum aisp_status aisp_store_run_incomplete(struct aisp_store *store, bool (*is_wanted)(const json_t *manifest),
                                           char run[AISP_RUN_ID_MAX], struct aisp_err *err);
enum aisp_status aisp_store_evidence_load(struct aisp_store *store, const char *run, const char *key, json_t **out,
                                          struct aisp_err *err);
/* The same as it was written, byte for byte; the caller frees it. */
enum aisp_status aisp_store_evidence_text(struct aisp_store *store, const char *run, const char *key, char **text,
                                          struct aisp_err *err);
/* Newest first: [{"run", "started", "complete", "host", "n_results", "hardware": the first result's, or null}]. */
enum aisp_status aisp_store_runs(struct aisp_store *store, int limit, json_t **out, struct aisp_err *err);
/* What the newest complete run that has any result of this target says of it: {"run", "manifest", "results": [...]}, its other
 * targets left out. *out is NULL if there is none. */
enum aisp_status aisp_store_newest(struct aisp_store *store, const char *target, json_t **out, struct aisp_err *err);
/* SHA-256 of a result's evidence file as it was when the result was added. Errors: AISP_E_NOT_FOUND. */
enum aisp_status aisp_store_evidence_hash(struct aisp_store *store, const char *run, const char *key, char sha256[65],
                                          struct aisp_err *err);
/* Path of a run's folder, caller frees. */
char *aisp_store_run_folder(const struct aisp_store *store, const char *run);
/* The same for who puts something there: a run of another machine in a shared store has no folder here yet. */
enum aisp_status aisp_store_run_folder_make(const struct aisp_store *store, const char *run, char **folder,
                                            struct aisp_err *err);

/* Everything, as JSON Lines, and back without loss (exchange.h). Errors: AISP_E_IO, AISP_E_USAGE (bad line N). */
enum aisp_status aisp_store_export(struct aisp_store *store, const char *path, struct aisp_err *err);
enum aisp_status aisp_store_import(struct aisp_store *store, const char *path, struct aisp_err *err);

/* Newest calibration of a host that has not expired; *out is NULL if there is none. */
enum aisp_status aisp_store_calibration_load(struct aisp_store *store, const char *host, json_t **out, struct aisp_err *err);
enum aisp_status aisp_store_calibration_add(struct aisp_store *store, const json_t *calibration, struct aisp_err *err);
/* The same, unless it is there. It has a "host". */
enum aisp_status aisp_store_calibration_import(struct aisp_store *store, const json_t *calibration, struct aisp_err *err);

#endif
