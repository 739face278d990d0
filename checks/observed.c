/* observed.c - find observations and put their place into words. */
#include "checks/observed.h"

#include <stdio.h>

const struct aisp_observation *aisp_observed(const struct aisp_evidence *ev, enum aisp_side side, enum aisp_seen what,
                                             int kind)
{
    for (size_t i = 0; i < ev->n_observations; i++) {
        const struct aisp_observation *o = &ev->observation[i];

        if (o->side == (int)side && o->what == what && (kind < 0 || o->kind == kind))
            return o;
    }
    return NULL;
}

void aisp_observed_where(const struct aisp_evidence *ev, const struct aisp_observation *o, char *text, size_t size)
{
    size_t n = (size_t)snprintf(text, size, "%s, %s", ev->variant[o->side].name, aisp_phase_name(o->phase));

    if (o->window >= 0 && n < size)
        n += (size_t)snprintf(text + n, size - n, " window %d", o->window);
    if (o->pair >= 0 && n < size)
        n += (size_t)snprintf(text + n, size - n, " of pair %d", o->pair);
    if (o->call >= 0 && n < size)
        n += (size_t)snprintf(text + n, size - n, ", call %lld", (long long)o->call);
    if (o->slot >= 0 && n < size)
        snprintf(text + n, size - n, ", slot %d", o->slot);
}

void aisp_find_wrong_output(const struct aisp_check *self, const struct aisp_evidence *ev, int kind,
                            struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_observation *o = aisp_observed(ev, (enum aisp_side)side, AISP_SEEN_WRONG_OUTPUT, kind);
        char where[192];

        if (!o)
            continue;
        aisp_observed_where(ev, o, where, sizeof where);
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s: %s; element %lld: saw %.9g, expected %.9g +- %.3g; %lld of %lld elements wrong", where,
                  aisp_wrong_name((enum aisp_wrong)kind), (long long)o->element, o->seen, o->expected, o->allowed,
                  (long long)o->count, (long long)o->of);
    }
}
