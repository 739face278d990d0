/* check.h - does the store still say what it said? Every run's folder against the index, and every evidence file against the
 * hash that was taken when its result was added.
 * What is found, by kind:
 *   orphan        a run's folder that the index does not know       repair: read in, if it is whole
 *   missing       manifest.json or results.json                     repair: written from the index
 *   missing       evidence that was not pruned                      import the run again from where it was made
 *   damaged       a file that cannot be read, or evidence that its hash denies      manifest and results are set aside and
 *                                                                                 written anew
 *   contradicts   a file and the index say different things         nobody can tell which is right: nothing is touched
 *   left over     what a killed import or prune left                repair: removed
 *   index         derived tables that do not fit the results        repair: made anew
 * Repair never removes a run's file and never a row. */
#ifndef AISP_STORE_CHECK_H
#define AISP_STORE_CHECK_H

#include "store/store.h"

struct aisp_store_check_ask {
    bool repair;
    bool (*watch)(void *context, int64_t n_done, int64_t n_total);   /* runs; false stops it; or NULL */
    void *context;
};

/* *out: {"runs", "results", "evidence", "pruned", "elsewhere", "problems": [{"kind", "run", "what", "repaired", "fix"}]}
 * evidence: files that are what their hash says; elsewhere: runs of the shared store without a folder here; fix: what to do.
 * Errors: AISP_E_IO (the index cannot be read), AISP_E_INTERRUPTED. */
enum aisp_status aisp_store_verify(struct aisp_store *store, const struct aisp_store_check_ask *check, json_t **out,
                                   struct aisp_err *err);

#endif
