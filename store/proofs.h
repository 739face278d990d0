/* proofs.h - what `aisp-selftest` saw on each machine: ARTIFACTS/proofs/HOST.json, one entry for each fixture, the newest.
 * Not in the database: the program that proves links nothing that it does not need for it, and what it saw is no run.
 *
 *   {"host", "cpu", "kernel", "fixtures": {"cheats/stale_cache": {"check", "good", "says", "at", "seconds", "on"}}}
 *   good: a cheat was caught and its switches showed what they should; a twin passed. says: the finding, or what went wrong. */
#ifndef AISP_STORE_PROOFS_H
#define AISP_STORE_PROOFS_H

#include <jansson.h>

#include "core/base/err.h"

/* *out is NULL if nothing was proven on that machine yet. Errors: AISP_E_IO (unreadable, no JSON). */
enum aisp_status aisp_proofs_load(const char *artifacts_dir, const char *host, json_t **out,
                                  struct aisp_err *err);
/* Add entries (id -> entry) to the file of `machine` ({"host", "cpu", "kernel"}); older ones of the same id give way. */
enum aisp_status aisp_proofs_add(const char *artifacts_dir, const json_t *machine,
                                 const json_t *fixtures, struct aisp_err *err);

#endif
