/* optimized_cache_aware - a request goes to a worker that has its document, and where none has it, or those are full, to the
 * one with the smallest load.
 * Expected: of 256 requests 147 meet a worker without their document under round robin and 49 here (mean of 30 drawn
 * traces), and to make a document's keys and values costs 20 answers: (147 * 20 + 256) / (49 * 20 + 256) = 2.6x.
 * Costs: the router must know what the caches hold. */
#include "workers.h"

static int least_loaded(const struct fleet *f)
{
    int least = 0;

    for (int w = 1; w < WORKERS; w++)
        if (f->worker[w].load < f->worker[least].load)
            least = w;
    return least;
}

static int route(const struct fleet *f)
{
    for (int w = 0; w < WORKERS; w++)
        if (has_room(f, w) && place_of(&f->worker[w], next_document(f)) >= 0)
            return w;
    return least_loaded(f);
}

static enum aisp_status run(const struct aisp_call *call)
{
    struct fleet f;

    fleet_open(&f, call);
    while (f.now < call->param[REQUESTS])
        serve(&f, route(&f));
    return AISP_OK;
}

AISP_DECLARE("idea: to a worker that has the document, else to the least loaded\n"
             "expect: prefills / 2");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = fleet_bytes, .run = run };
