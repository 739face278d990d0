/* own_file.h - `bench run path/to/optimized_idea.c`: a file of the user's own, with problem and baseline beside it.
 * Sources are compiled into a private folder as our own targets are; finished objects are taken as they are. */
#ifndef AISP_COMMANDS_OWN_FILE_H
#define AISP_COMMANDS_OWN_FILE_H

#include "core/catalogue.h"

struct aisp_own_file {
    char *folder;                   /* private, removed on release */
    struct aisp_target target;
    const struct aisp_variant_ref *variant;
    char name[AISP_NAME_MAX];
};

/* Errors: AISP_E_NOT_FOUND (no such file, no problem or baseline beside it), AISP_E_REFUSED (does not compile, is no
 * variant), AISP_E_USAGE (neither .c nor .so), AISP_E_UNAVAILABLE (no compiler, no headers), AISP_E_IO. */
enum aisp_status aisp_own_file_init(struct aisp_own_file *own, const char *path, struct aisp_err *err);
void aisp_own_file_release(struct aisp_own_file *own);

#endif
