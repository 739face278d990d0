/* exchange.h - runs out of a store and into another, without loss.
 * An export is JSON Lines, one record a line, in an order that is read in one pass:
 *   {"kind": "aisp-export", "version": 2}
 *   {"kind": "run", "started", "manifest"}                         then what belongs to it:
 *   {"kind": "result", "run", "evidence_sha256", "evidence", "result"}      evidence: null where it stayed behind or was pruned
 *   {"kind": "seal", "run", "finished", "summary"}                 none: the run is open
 *   {"kind": "calibration" | "quarantine" | "attempt", ...}        last, where no runs were chosen
 * A run's folder and a whole artifacts folder can be imported as well: a folder holds all that a run is, and its results.json
 * the hashes of its other files.
 * Not here: what an import does with a record (intake.h). */
#ifndef AISP_STORE_EXCHANGE_H
#define AISP_STORE_EXCHANGE_H

#include "store/intake.h"

struct aisp_store_export_ask {
    const char *const *run;          /* names as aisp_store_run_load() takes them; none: all, and what belongs to no run */
    size_t n_runs;
    bool without_evidence;
};
struct aisp_export_counts { int64_t runs, results, evidence, unreadable; };    /* unreadable: evidence left out for that */
/* Errors: AISP_E_NOT_FOUND (no such run), AISP_E_USAGE (the beginning of several), AISP_E_IO; no file is made then. */
enum aisp_status aisp_store_export_runs(struct aisp_store *store, const char *path, const struct aisp_store_export_ask *what,
                                        struct aisp_export_counts *counts, struct aisp_err *err);

/* How far it is: called now and then; false stops it. */
struct aisp_import_watch {
    bool (*watch)(void *context, const struct aisp_intake_counts *counts, bool is_trying);
    void *context;
};
/* `path`: an export, a run's folder, or an artifacts folder. Everything is read and tried first, then written: what is wrong
 * with it is found before any of it is visible. `watch` may be NULL.
 * Errors: AISP_E_USAGE ("PATH: line N: what"), AISP_E_NOT_FOUND, AISP_E_IO, AISP_E_INTERRUPTED. */
enum aisp_status aisp_store_import_runs(struct aisp_store *store, const char *path, const struct aisp_import_watch *watch,
                                        struct aisp_intake_counts *counts, struct aisp_err *err);

/* ---- what import.c and check.c share ---- */

/* A run's folder into an intake. Errors: AISP_E_USAGE (not a run's folder, or its files contradict one another), AISP_E_IO. */
enum aisp_status aisp_intake_folder(struct aisp_intake *intake, const char *folder, struct aisp_err *err);

#endif
