/* plugin.h - what can be known of a variant without loading it, and the loading of what is trusted (a problem).
 * Not here: loading a variant (worker/main.c; the supervisor never does). */
#ifndef AISP_CORE_PLUGIN_H
#define AISP_CORE_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>

#include <aisp/problem.h>

#include "core/base/err.h"

enum { AISP_NAME_MAX = 64, AISP_ID_MAX = 128 };

/* The declaration of a variant, out of the ELF section "aisp.declare". Empty fields are "". */
struct aisp_declaration {
    char idea[256], expect[192], uses[192], place[192];
};

/* Read a shared object's declaration with bounds-checked file reads only; relocations are not applied, nothing is mapped
 * executable. Errors: AISP_E_REFUSED ("NAME: not a shared object", "no declaration", "key \"speed\" is unknown", a missing
 * aisp_variant symbol, another ABI, a struct of another size), AISP_E_NOT_FOUND, AISP_E_IO; *decl is then untouched. */
enum aisp_status aisp_declaration_read(const char *path, struct aisp_declaration *decl, struct aisp_err *err);
/* The same by way of `folder`, a descriptor of the folder that `path` is in: who reads all that is in it finds it once. */
enum aisp_status aisp_declaration_read_in(int folder, const char *path, struct aisp_declaration *decl, struct aisp_err *err);
/* The text form, for declarations in other files and for tests: lines "key: value" of UTF-8 without control characters, each
 * key at most once; NULs behind the text are its padding. Errors: AISP_E_REFUSED. */
enum aisp_status aisp_declaration_parse(const char *text, size_t n, const char *name, struct aisp_declaration *decl,
                                        struct aisp_err *err);
bool aisp_declaration_uses(const struct aisp_declaration *decl, const char *what);
/* The wish for tensor `name`: "huge", "pinned", "local"; "" if none. */
void aisp_declaration_place(const struct aisp_declaration *decl, const char *name, char wish[16]);

/* A problem: trusted code, loaded into the supervisor, checked by aisp_problem_check(). Close it after the last use.
 * Errors: AISP_E_NOT_FOUND, AISP_E_REFUSED ("NAME: reason"); *loaded is then empty. Unload accepts empty. */
struct aisp_loaded_problem { void *handle; const struct aisp_problem *problem; const char *sweep; /* of AISP_SWEEP, or NULL */ };
enum aisp_status aisp_problem_load(const char *path, struct aisp_loaded_problem *loaded, struct aisp_err *err);
void aisp_problem_unload(struct aisp_loaded_problem *loaded);

#endif
