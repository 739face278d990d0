/* memory_slots.c - a call writes the output of its own slot, and of no other. */
#include "checks/observed.h"

static void foreign_output(const struct aisp_check *self, const struct aisp_evidence *ev,
                           struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_observation *o =
            aisp_observed(ev, (enum aisp_side)side, AISP_SEEN_FOREIGN_WRITE, -1);
        char where[192];

        if (!o)
            continue;
        aisp_observed_where(ev, o, where, sizeof where);
        aisp_find(
            out, self, AISP_VIOLATION, side,
            "%s: %lld of %lld elements of its output were written, but no call of this window "
            "asked for it: one call does the work of others",
            where, (long long)o->count, (long long)o->of);
    }
}

AISP_CHECK(foreign_output_check) = {
    .issue = 36,
    .name = "foreign-output",
    .family = "memory",
    .title = "An answer is written by the call that asks for it: uncalled slots keep their poison",
    .needs = "cpu",
    .incident = "a variant that learned the sequence of calls and answered all in the first, 2025",
    .severity = AISP_VIOLATION,
    .rank = 19,
    .examine = foreign_output,
};
