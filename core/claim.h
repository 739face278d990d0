/* claim.h - what a record says of itself: the verdict that it was stored with, and which attempt
 * at the same code it was. The verdict is always derived again from the windows (run.h); this is
 * kept so that a record which says more than its windows do can be told. */
#ifndef AISP_CORE_CLAIM_H
#define AISP_CORE_CLAIM_H

#include <jansson.h>
#include <stdint.h>

#include "core/base/err.h"

struct aisp_claim {
    char verdict[12]; /* "FASTER"; "": none was given */
    double ratio;
    int32_t n_pairs;         /* behind it */
    int64_t attempt;         /* 1 is the first at this code for this target; 0: nobody counts */
    int64_t attempts_before; /* of which the ledger still has the record */
    int64_t chosen_of;       /* so many attempts stand behind this one as the best; 0 or 1: none */
    char unfinished[160];    /* what was to come after the pairs and failed, and why; "": nothing */
};

json_t *aisp_claim_to_json(const struct aisp_claim *claim);
/* `json` NULL: a record that claims nothing. */
enum aisp_status aisp_claim_from_json(const json_t *json, struct aisp_claim *claim,
                                      struct aisp_err *err);
/* The first of them is kept. */
void aisp_claim_unfinished(struct aisp_claim *claim, const char *what, const struct aisp_err *why);

#endif
