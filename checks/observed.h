/* observed.h - what several families do with observations: walk them, and say where each was seen. */
#ifndef AISP_CHECKS_OBSERVED_H
#define AISP_CHECKS_OBSERVED_H

#include "checks/check.h"
#include "core/judge/judge.h"

/* The first observation of a side that is `what`, and of wrong-output kind `kind` (-1: any); NULL if there is none. */
const struct aisp_observation *aisp_observed(const struct aisp_evidence *ev, enum aisp_side side, enum aisp_seen what,
                                             int kind);

/* "optimized_memo, timed window 14 of pair 0, call 3, slot 2" */
void aisp_observed_where(const struct aisp_evidence *ev, const struct aisp_observation *o, char *text, size_t size);

/* A violation for each side that has such an observation of an output: where, seen, expected, allowed, how many. */
void aisp_find_wrong_output(const struct aisp_check *self, const struct aisp_evidence *ev, int kind,
                            struct aisp_findings *out);

#endif
