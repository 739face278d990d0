/* proofs.h - each of the ninety-five protections with its checks, what proves them in the test suite, and what was seen of that
 * on this machine. Not here: targets (bench_audit.c), running the proofs (aisp-selftest). */
#ifndef AISP_COMMANDS_PROOFS_H
#define AISP_COMMANDS_PROOFS_H

#include <jansson.h>

#include "checks/proof.h"

/* New reference: 95 rows in order:
 *   {"issue", "family", "name", "proof": "proven|logic only|unproven", "why",
 *    "checks": [{"check", "title", "needs", "severity", "incident", "proof", "why", "here": "proven|failed|in part|not tried",
 *                "fixtures": [{"id", "what", "switches", "good": true|false|null, "at", "says", "on"}]}]}
 * `kept` is the machine's file of store/proofs.h, or NULL. A check of which a fixture failed on this machine is unproven; one whose
 * cheats and twins on a card were good here is proven here. */
json_t *aisp_proofs_rows(const json_t *kept);
/* The check's proof in rows, by its name. */
enum aisp_proof aisp_proofs_find(const json_t *rows, const char *check, const char **why);
/* {"proven", "logic_only", "unproven", "here_good", "here_bad", "here_at"}: of rows, and of the machine's fixtures. */
json_t *aisp_proofs_summary(const json_t *rows, const json_t *kept);
/* This machine's file; NULL where nothing was proven yet. Errors: AISP_E_IO. */
enum aisp_status aisp_proofs_here(const char *artifacts_dir, json_t **kept, struct aisp_err *err);

#endif
