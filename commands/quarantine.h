/* quarantine.h - who is in quarantine, for the commands that show variants, put them in or let them out.
 * Not here: the record (store/quarantine.h). */
#ifndef AISP_COMMANDS_QUARANTINE_H
#define AISP_COMMANDS_QUARANTINE_H

#include <jansson.h>
#include <stdbool.h>

#include "store/quarantine.h"

/* New reference: the list as the store gives it; empty where nothing was recorded, or it cannot be read. */
json_t *aisp_quarantine_here(const char *artifacts_dir);
/* Borrowed; NULL: not in. */
const json_t *aisp_quarantine_find(const json_t *list, const char *target, const char *variant,
                                   const char *device);

/* A result that passed lets out both of its variants. New reference in *out: names of those who were in, "ch07:x optimized_y". */
enum aisp_status aisp_quarantine_let_out(struct aisp_store *store, const char *run,
                                         const json_t *result, json_t **out, struct aisp_err *err);
/* Every variant that one of the results found wrong is put in. *n: how many. */
enum aisp_status aisp_quarantine_put_in(struct aisp_store *store, const char *run,
                                        const json_t *results, size_t *n, struct aisp_err *err);

/* "2026-11-28 10:05" */
void aisp_quarantine_date(const json_t *entry, const char *key, char text[24]);

#endif
