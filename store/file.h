/* file.h - files that are whole or not there: written beside, synced, renamed. */
#ifndef AISP_STORE_FILE_H
#define AISP_STORE_FILE_H

#include <jansson.h>

#include "core/base/err.h"

/* Errors: AISP_E_IO with path and reason; then no file of that name was made or changed. `sha256` may be NULL. */
enum aisp_status aisp_file_write_json(const char *path, const json_t *json, char sha256[65], struct aisp_err *err);
/* Errors: AISP_E_NOT_FOUND, AISP_E_IO (unreadable, no JSON). */
enum aisp_status aisp_file_read_json(const char *path, json_t **out, struct aisp_err *err);

#endif
