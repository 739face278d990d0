/* new_write.h - what the `new` commands have in common: names, and files made of templates. Nothing that exists is ever
 * overwritten. */
#ifndef AISP_COMMANDS_NEW_WRITE_H
#define AISP_COMMANDS_NEW_WRITE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "commands/command.h"

/* Lower-case letters, digits and _: names end up in file names, C identifiers and ids. */
bool aisp_new_is_name(const char *s, size_t n);
/* The folder and those above it. */
enum aisp_status aisp_new_folder(const char *folder, struct aisp_err *err);

/* What stands for @key@ in a template; ends with a NULL key. */
struct aisp_new_word {
    const char *key, *value;
};
/* Write FOLDER/FILE and add its path to `files`. Errors: AISP_E_USAGE (it exists), AISP_E_IO. */
enum aisp_status aisp_new_write(const char *path, const char *text,
                                const struct aisp_new_word *words, json_t *files,
                                struct aisp_err *err);
/* "wrote ..." for each file, and what to try. */
void aisp_new_render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out);

#endif
