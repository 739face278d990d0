/* optimized_cache_and_load - among the workers that have the document the least loaded one, and where none has it, of those
 * with room the one whose oldest document was used longest ago: together they drop what one cache of twenty places would.
 * Expected: 37 of 256 requests meet a worker without their document instead of 49: (49 * 20 + 256) / (37 * 20 + 256) = 1.25x
 * over optimized_cache_aware. Fewer copies of the frequent documents are made, and no worker drops what it will be asked for
 * soon because it happened to be the least loaded.
 * Costs: the router must also know when a worker used what. */
#include "workers.h"

/* How long ago the place was used that a new document would take. */
static int64_t oldest_use(const struct worker *w)
{
    return w->used[oldest_place(w)];
}

/* Is worker a better than b, both of which have the document or have it not? */
static int is_better(const struct fleet *f, int a, int b, int has)
{
    const struct worker *x = &f->worker[a], *y = &f->worker[b];

    if (has || oldest_use(x) == oldest_use(y))
        return x->load < y->load;
    return oldest_use(x) < oldest_use(y);
}

static int route(const struct fleet *f)
{
    int best = -1, best_has = 0;

    for (int w = 0; w < WORKERS; w++) {
        const int has = place_of(&f->worker[w], next_document(f)) >= 0;

        if (has_room(f, w) && (best < 0 || has > best_has || (has == best_has && is_better(f, w, best, has)))) {
            best = w;
            best_has = has;
        }
    }
    return best;
}

static enum aisp_status run(const struct aisp_call *call)
{
    struct fleet f;

    fleet_open(&f, call);
    while (f.now < call->param[REQUESTS])
        serve(&f, route(&f));
    return AISP_OK;
}

AISP_DECLARE("idea: the least loaded of those that have the document, else where the oldest one is dropped\n"
             "expect: prefills / 1.2 of optimized_cache_aware");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = fleet_bytes, .run = run };
