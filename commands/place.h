/* place.h - where this program lies, and folders of its own. */
#ifndef AISP_COMMANDS_PLACE_H
#define AISP_COMMANDS_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"

/* DIRECTORY-OF-THE-PROGRAM/name; caller frees. */
char *aisp_place_beside(const char *name);
/* Another directory instead, borrowed for good: a library in somebody else's program lies elsewhere. */
void aisp_place_set_home(const char *directory);
/* The folder that holds aisp/problem.h: beside the program, or ../include of it; NULL if neither does. Caller frees. */
char *aisp_place_include(void);

/* A private folder below $TMPDIR named after this process, so that `aisp clean` can tell what was left behind. */
enum aisp_status aisp_place_private(char **path, struct aisp_err *err);
/* Remove a folder and all below it, following no link. Adds what it held to *bytes (may be NULL). */
enum aisp_status aisp_place_remove(const char *path, int64_t *bytes, struct aisp_err *err);
/* Private folders whose process is gone: calls `found` for each. */
void aisp_place_each_left(void (*found)(void *context, const char *path), void *context);
int64_t aisp_place_bytes(const char *path);

bool aisp_place_is_file(const char *path);
bool aisp_place_is_folder(const char *path);

#endif
