/* staging.h - the files of runs that come from elsewhere: laid beside the others under a name that nobody reads, and put in
 * place all together when their rows are about to be there.
 *   ARTIFACTS/runs/.import-PID/RUN/...   until then; what a killed import left is told by its PID (aisp_staging_each_left)
 * Not here: rows (intake.h). */
#ifndef AISP_STORE_STAGING_H
#define AISP_STORE_STAGING_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

struct aisp_staging;
struct aisp_staging *aisp_staging_new(const char *artifacts_dir);
/* Removes what was not put in place. */
void aisp_staging_free(struct aisp_staging *staging);

/* One file of a run: `name` is "manifest.json" or "evidence/KEY.json". Not yet durable. Errors: AISP_E_IO. */
enum aisp_status aisp_staging_add(struct aisp_staging *staging, const char *run, const char *name, const char *text, size_t n,
                                  struct aisp_err *err);
/* Bring all to disk and move it into place. A file that is there already stays if it says the same.
 * Errors: AISP_E_USAGE (a file of that run says something else), AISP_E_IO. */
enum aisp_status aisp_staging_place(struct aisp_staging *staging, struct aisp_err *err);

/* Staging folders whose process is gone. */
void aisp_staging_each_left(const char *artifacts_dir, void (*found)(void *context, const char *path), void *context);
/* Remove a folder and all below it, following no link. */
enum aisp_status aisp_staging_remove(const char *path, struct aisp_err *err);

#endif
