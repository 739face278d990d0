/* file.h - files that are whole or not there: written beside, synced, renamed. */
#ifndef AISP_STORE_FILE_H
#define AISP_STORE_FILE_H

#include <jansson.h>
#include <stdbool.h>

#include "core/base/err.h"

/* Errors: AISP_E_IO with path and reason; then no file of that name was made or changed. `sha256` may be NULL. */
enum aisp_status aisp_file_write_text(const char *path, const char *text, char sha256[65], struct aisp_err *err);
/* The same for a value: aisp_file_json_text() of it. */
char *aisp_file_json_text(const json_t *json);   /* caller frees */
enum aisp_status aisp_file_write_json(const char *path, const json_t *json, char sha256[65], struct aisp_err *err);
/* Errors: AISP_E_NOT_FOUND, AISP_E_IO (unreadable, no JSON). The text is terminated; the caller frees it. */
enum aisp_status aisp_file_read_text(const char *path, char **text, struct aisp_err *err);
enum aisp_status aisp_file_read_json(const char *path, json_t **out, struct aisp_err *err);

/* One process at a time holds a folder, until it closes the descriptor; others wait here. Where a folder cannot be locked things have
 * to be tried without. -1: it cannot be opened. */
int aisp_folder_hold(const char *folder);
/* The same without waiting. *is_taken: another process holds it, and -1 is returned. */
int aisp_folder_hold_now(const char *folder, bool *is_taken);

#endif
