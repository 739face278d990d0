/* judge_build.h - candidates made into shared objects in a sandbox, several at once.
 * What a build may read: the toolchain, the public headers, the target's problem.h. What it leaves: one sealed memory file. */
#ifndef AISP_COMMANDS_JUDGE_BUILD_H
#define AISP_COMMANDS_JUDGE_BUILD_H

#include "commands/candidate.h"
#include "core/catalogue.h"
#include "sandbox/sandbox.h"

struct aisp_builder {
    struct aisp_toolchain tools;
    enum aisp_jail_mode mode;
    struct aisp_sandbox_limits limits;
    struct aisp_sandbox_file *header;        /* owned, names and bytes */
    size_t n_headers, cap_headers;
    const char *flag[64];
    char *flags, *folder;                    /* folder: private, only without namespaces */
    char *lacks;                             /* why candidates have no problem.h, where a note promised one; else NULL */
    char build[65];                          /* hash of compiler, flags and headers */
};

struct aisp_built {
    struct aisp_sandbox_result result;       /* product_fd: owned */
    bool is_tried;                           /* false: there was nothing to compile */
};

/* Errors: AISP_E_UNAVAILABLE (no compiler, no headers, no sandbox on this host), AISP_E_IO. */
enum aisp_status aisp_builder_init(struct aisp_builder *b, const struct aisp_target *target, enum aisp_jail_mode asked,
                                   struct aisp_err *err);
void aisp_builder_release(struct aisp_builder *b);

/* Build n candidates, `jobs` at a time; built[i] belongs to candidate[i]. Errors: AISP_E_INTERRUPTED, AISP_E_UNAVAILABLE. */
enum aisp_status aisp_builder_run(const struct aisp_builder *b, const struct aisp_candidate *candidate, size_t n, int jobs,
                                  const volatile int *stop, struct aisp_built *built, struct aisp_err *err);
void aisp_built_release(struct aisp_built *built);

#endif
