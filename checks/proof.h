/* proof.h - what proves each check: the fixtures that the test suite holds, as a table built into the product from the
 * fixtures themselves (cmake/proofs.awk writes the rows), so that a row cannot be called proven without them.
 * Not here: whether they passed on this machine (`aisp-selftest` writes that down, store/proofs.h reads it). */
#ifndef AISP_CHECKS_PROOF_H
#define AISP_CHECKS_PROOF_H

#include "checks/check.h"

enum aisp_fixture_kind {
    AISP_FIXTURE_CHEAT,          /* does the thing, has to be caught */
    AISP_FIXTURE_TWIN,           /* uses the same feature honestly, has to pass */
    AISP_FIXTURE_SCRIPTED_CHEAT, /* the same, but the device is played: proves the logic alone */
    AISP_FIXTURE_SCRIPTED_TWIN,
    AISP_FIXTURE_CARD_CHEAT, /* runs on a card: what it proves holds for the machine where it was seen, and no other */
    AISP_FIXTURE_CARD_TWIN,
};

struct aisp_fixture {
    enum aisp_fixture_kind kind;
    const char *name;  /* "stale_cache" */
    const char *check; /* "stale-cache" */
    const char *
        switches; /* defences that catch it alone, "FRESH_CONTENTS, ..."; "" if the check alone does */
    const char *what; /* its own first words; "" where it is scripted */
};
extern const struct aisp_fixture aisp_fixtures[]; /* ends with a NULL name */
/* "cheats/stale_cache": the name under which its result is kept; caller frees. */
char *aisp_fixture_id(const struct aisp_fixture *fixture);

/* Checks for which no fixture can be made, and why. */
struct aisp_no_proof {
    const char *check, *why;
};
extern const struct aisp_no_proof aisp_no_proofs[]; /* ends with a NULL check */

enum aisp_proof {
    AISP_UNPROVEN,   /* no cheat that it catches, or no twin that it lets pass */
    AISP_LOGIC_ONLY, /* only with a played device */
    AISP_PROVEN,     /* cheat, twin and switch */
    AISP_N_PROOFS
};
const char *aisp_proof_name(enum aisp_proof proof); /* "unproven", "logic only", "proven" */
/* Of what every machine can repeat; what a card has shown is added to it there (commands/proofs.h).
 * *why (may be NULL) is what is missing, "" if nothing is. */
enum aisp_proof aisp_proof_of(const struct aisp_check *check, const char **why);
/* Of an issue: the best of its checks; AISP_UNPROVEN where it has none. */
enum aisp_proof aisp_proof_of_issue(int number, const char **why);

/* Does this evidence hold what the check needs? *why: what it lacks. */
bool aisp_check_applies(const struct aisp_check *check, const struct aisp_evidence *ev,
                        const char **why);

#endif
