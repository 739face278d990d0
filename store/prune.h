/* prune.h - make room: remove the evidence of old results. The results stay, and say that their evidence was pruned.
 * What is held whatever its age: open runs, runs that somebody refers to (the caller says which), what put a variant into
 * quarantine, and of each series the newest results.
 * Not here: who refers to runs (commands/store/prune.c). Why rows stay: docs/decisions/0005-pruning.md. */
#ifndef AISP_STORE_PRUNE_H
#define AISP_STORE_PRUNE_H

#include "store/store.h"

struct aisp_prune {
    int64_t before;              /* only runs that were started earlier: seconds since 1970 */
    int keep_latest;             /* of each series so many newest valid results, and what is newer; at least 1 */
    const json_t *held;          /* {RUN: anything}: their evidence stays; or NULL */
    bool dry;
};

/* *out: {"runs", "results", "bytes", "held_results": {"referred", "quarantined", "newest"}, "open_runs",
 *        "list": [{"run", "results", "bytes"}]}; runs that lose nothing are not listed. Errors: AISP_E_IO. */
enum aisp_status aisp_store_prune(struct aisp_store *store, const struct aisp_prune *prune, json_t **out, struct aisp_err *err);

/* Was this result's evidence pruned, or did the result come without? *at: when; 0: it came without. */
enum aisp_status aisp_store_is_pruned(struct aisp_store *store, const char *run, const char *key, bool *pruned, int64_t *at,
                                      struct aisp_err *err);

#endif
