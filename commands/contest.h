/* contest.h - one target measured: its problem loaded, its sizes worked out, each variant compared with the reference.
 * Not here: what is picked (pick.h), what is kept open meanwhile (session.h). */
#ifndef AISP_COMMANDS_CONTEST_H
#define AISP_COMMANDS_CONTEST_H

#include "commands/pick.h"
#include "commands/session.h"
#include "core/instance.h"
#include "core/plugin.h"
#include "core/run/run.h"

struct aisp_entry {
    const struct aisp_target *target;        /* borrowed */
    struct aisp_loaded_problem loaded;
    struct aisp_instance inst;
    const struct aisp_variant_ref *reference;
    const struct aisp_variant_ref **variant; /* compared with it, in this order */
    size_t n_variants;
    char refused[400];                       /* "" or why it cannot be run at all */
    enum aisp_status refused_by;
    char *point;                             /* "n=64": of a sweep; or NULL */
    struct aisp_known known;                 /* of the reference; n_elements 0: nothing yet */
};

/* What of a target is asked for. */
struct aisp_entry_spec {
    const struct aisp_target *target;
    const struct aisp_variant_ref *reference;        /* NULL: the baseline, at a size that omits it the first peer */
    const char *const *only;                         /* names of variants, "tiled" for "optimized_tiled"; none: all */
    size_t n_only;
};

/* Load and work out. Errors: what the user wrote is wrong (unknown variant or parameter, too large): AISP_E_USAGE,
 * AISP_E_NOT_FOUND, AISP_E_NO_MEMORY, AISP_E_REFUSED; *entry is then empty. */
enum aisp_status aisp_entry_init(struct aisp_entry *entry, const struct aisp_entry_spec *spec,
                                 const struct aisp_session_options *options, struct aisp_err *err);
void aisp_entry_release(struct aisp_entry *entry);
/* The entry of a target that aisp_entry_init() could not make one of: among others it is a row that says why. */
void aisp_entry_refuse(struct aisp_entry *entry, const struct aisp_target *target, enum aisp_status st,
                       const struct aisp_err *why);

/* Compare all variants of the entry; those whose key `is_done` says were recorded before are passed over. Errors:
 * AISP_E_INTERRUPTED, AISP_E_IO, AISP_E_NO_MEMORY, AISP_E_UNAVAILABLE. */
enum aisp_status aisp_entry_run(struct aisp_entry *entry, struct aisp_bench *bench, const json_t *done);

/* The key of a result: of a sweep's entry it ends with the point. Caller frees. */
char *aisp_entry_key(const struct aisp_entry *entry, const char *variant);

/* The plan of comparing a variant with the entry's reference under the bench's options; nobody watches it. */
struct aisp_plan aisp_entry_plan(const struct aisp_entry *entry, const struct aisp_bench *bench,
                                 const struct aisp_variant_ref *variant, const char *key);

#endif
