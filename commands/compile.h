/* compile.h - a variant's source made into a shared object, as the build makes ours.
 * Not here: which sources (own_file.c, audit.c), where the object goes. */
#ifndef AISP_COMMANDS_COMPILE_H
#define AISP_COMMANDS_COMPILE_H

#include <stddef.h>

#include "core/base/err.h"

struct aisp_compile {
    const char *source, *object;
    const char *log;                /* what the compiler says goes there */
    const char *include;            /* folder of aisp/variant.h; NULL: the one that goes with this program */
    const char *const *more;        /* further words: sources, flags that override ours */
    size_t n_more;                  /* at most 16 */
};

/* The compiler is $CC, else the one that this program was built with, else cc. Errors: AISP_E_REFUSED (does not compile: its
 * first error), AISP_E_UNAVAILABLE (no compiler, no headers). */
enum aisp_status aisp_compile_variant(const struct aisp_compile *spec, struct aisp_err *err);

enum { AISP_COMPILE_MAX_FLAGS = 48 };
/* How the build compiles variants: its flags, ending with NULL. Caller frees what is returned; the flags lie in it. */
char *aisp_compile_flags(const char *flag[AISP_COMPILE_MAX_FLAGS]);
/* $CC, else the one that this program was built with, else cc. */
const char *aisp_compile_compiler(void);

#endif
