/* quarantine.h - variants that were found wrong, with the reason, until a run in which they pass.
 * Not here: who puts them in (bench verify --verify-phase quarantine) and lets them out (every run that passes). */
#ifndef AISP_STORE_QUARANTINE_H
#define AISP_STORE_QUARANTINE_H

#include "store/store.h"

struct aisp_quarantine_entry {
    const char *target, *variant, *device;
    const char *run;              /* the run that says so */
    const char *finding, *reason; /* of what was found; not looked at when it is let out */
};

/* Put in, or, with a new reason, again. */
enum aisp_status aisp_store_quarantine_put(struct aisp_store *store,
                                           const struct aisp_quarantine_entry *entry,
                                           struct aisp_err *err);
/* Let out. *was_in (may be NULL): false if it was not in; then nothing is written. */
enum aisp_status aisp_store_quarantine_clear(struct aisp_store *store,
                                             const struct aisp_quarantine_entry *entry,
                                             bool *was_in, struct aisp_err *err);
/* Who is in, by target and variant: [{"target", "variant", "device", "since", "at", "times", "run", "check", "reason"}].
 * since: when it was put in and not let out again; times: how often it was found wrong since. A store that was made before
 * there was a quarantine has nobody in it. */
enum aisp_status aisp_store_quarantine_list(struct aisp_store *store, json_t **out,
                                            struct aisp_err *err);
/* All that ever happened, oldest first: the same fields without since and times, with "in". */
enum aisp_status aisp_store_quarantine_history(struct aisp_store *store, json_t **out,
                                               struct aisp_err *err);
/* One line of the history, as it was: for import. Errors: AISP_E_USAGE (no such line). */
enum aisp_status aisp_store_quarantine_add(struct aisp_store *store, const json_t *line,
                                           struct aisp_err *err);

#endif
