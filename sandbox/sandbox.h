/* sandbox.h - compile what nobody trusts: one source, one compiler, one shared object, in a place that holds the toolchain,
 * the headers that were given, and nothing else that could be read.
 *   start   a build in a jail of its own; several may run at once
 *   wait    until one of them has ended, by itself or because it went past a limit
 *   free    kill what is left of it; nothing stays behind: no process, no file
 * Not here: what a candidate is and what its build means for it (commands/), running what was built (backends/). */
#ifndef AISP_SANDBOX_H
#define AISP_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "sandbox/plan.h"

/* ---- the toolchain (toolchain.c) ---- */

struct aisp_toolchain {
    char *compiler;        /* absolute */
    char **folder, **file; /* of the host: what a build may read */
    size_t n_folders, cap_folders, n_files, cap_files;
    char *library_path; /* where the compiler's own libraries lie: "/lib/x:/usr/lib/y" */
};

/* Ask a compiler what it consists of: its programs, their libraries, its headers, and what is linked with libm and libc.
 * `compiler` is a name in PATH or a path. Errors: AISP_E_UNAVAILABLE. */
enum aisp_status aisp_toolchain_init(struct aisp_toolchain *tools, const char *compiler,
                                     struct aisp_err *err);
void aisp_toolchain_release(struct aisp_toolchain *tools);

/* ---- builds (sandbox.c) ---- */

struct aisp_sandbox_file {
    const char *at;
    const void *bytes;
    size_t n;
}; /* "include/aisp/variant.h" */

struct aisp_sandbox_limits {
    int cpu_s; /* of each process; also of all together */
    int64_t wall_ns;
    uint64_t memory_bytes; /* of each process */
    uint64_t space_bytes;  /* of all files that it writes */
    uint64_t product_bytes;
    size_t message_bytes; /* beyond it the build is ended */
    int n_includes, n_processes;
};
extern const struct aisp_sandbox_limits aisp_sandbox_limits; /* the usual ones */

struct aisp_sandbox_spec {
    const struct aisp_toolchain *tools;
    enum aisp_jail_mode mode;     /* not AISP_JAIL_ANY: see aisp_sandbox_mode() */
    const char *const *flags;     /* before the source; ends with NULL */
    const char *const *libraries; /* behind it: "-lm"; ends with NULL */
    const struct aisp_sandbox_file *file;
    size_t n_files;
    const char *source, *product; /* names among and beside the files */
    const char
        *folder; /* AISP_JAIL_LANDLOCK: an empty folder of the caller's, whole path; else NULL */
    struct aisp_sandbox_limits limits;
};

enum aisp_sandbox_end {
    AISP_SANDBOX_BUILT,
    AISP_SANDBOX_REFUSED,      /* the compiler said no */
    AISP_SANDBOX_MISSING_FILE, /* it asked for a file that is not in the sandbox */
    AISP_SANDBOX_TIME,
    AISP_SANDBOX_MEMORY,
    AISP_SANDBOX_SPACE, /* files or product too large */
    AISP_SANDBOX_PROCESSES,
    AISP_SANDBOX_INCLUDES,
    AISP_SANDBOX_MESSAGES,
    AISP_SANDBOX_CRASHED, /* the compiler itself died */
    AISP_N_SANDBOX_ENDS
};
const char *aisp_sandbox_end_name(enum aisp_sandbox_end end); /* "compile-time" */

struct aisp_sandbox_result {
    enum aisp_sandbox_end end;
    int product_fd; /* sealed memory file if BUILT, else -1; the caller's */
    char message
        [1024]; /* of the compiler: ASCII, its first lines that say what is wrong; "" if there is none */
    size_t message_bytes; /* how much it said in all */
    int n_includes;
    int64_t wall_ns, cpu_ns;
};

struct aisp_sandbox;

/* The best mode that this host lets this user have, tried out with an empty jail; or the one that is asked for, if it works.
 * Errors: AISP_E_UNAVAILABLE: neither namespaces nor Landlock, so nothing untrusted is compiled here. */
enum aisp_status aisp_sandbox_mode(enum aisp_jail_mode asked, const char *folder,
                                   enum aisp_jail_mode *mode, struct aisp_err *err);
const char *aisp_sandbox_mode_name(enum aisp_jail_mode mode); /* "namespaces", "landlock" */

enum aisp_status aisp_sandbox_start(const struct aisp_sandbox_spec *spec, struct aisp_sandbox **job,
                                    struct aisp_err *err);
/* Until one of n jobs has ended: its index. Errors: AISP_E_INTERRUPTED (*stop was set). */
enum aisp_status aisp_sandbox_wait(struct aisp_sandbox *const *job, size_t n,
                                   const volatile int *stop, size_t *which, struct aisp_err *err);
/* Of a job that has ended. Errors: AISP_E_UNAVAILABLE (the jail could not be made), AISP_E_IO. */
enum aisp_status aisp_sandbox_result(struct aisp_sandbox *job, struct aisp_sandbox_result *result,
                                     struct aisp_err *err);
void aisp_sandbox_free(struct aisp_sandbox *job);

/* Where aisp-jail lies instead of beside this program; borrowed for good. */
void aisp_sandbox_set_jail(const char *path);

#endif
