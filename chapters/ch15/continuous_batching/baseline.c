/* baseline - static batches: as many requests as there are places are decoded together until the longest answer has ended;
 * a batch keeps its size, and what comes out for answers that have ended is dropped. */
#include "batch.h"

static int64_t longest(const struct batch *b)
{
    int64_t most = 0;

    for (int64_t p = 0; p < b->n; p++)
        most = b->place[p].length > most ? b->place[p].length : most;
    return most;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t requests = call->param[REQUESTS];
    struct batch b;

    batch_open(&b, call);
    for (int64_t next = 0; next < requests; b.n = 0) {
        while (b.n < call->param[PLACES] && next < requests)
            come_in(&b, next++);
        for (int64_t t = longest(&b); t > 0; t--)
            step(&b, product_plain);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: static batches, until the longest answer of each has ended");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = batch_bytes, .run = run };
