/* optimized_in_flight - before each step whoever is there takes a place that is free.
 * Expected: a request waits for the step that runs, where it waited for what was left of a batch, up to 30 steps. Where all
 * places are taken it waits for one in either case, and steps are longer. 3 to 6x.
 * Costs: TPOT. Steps are those of fuller batches, each a little longer than that of a batch that has nearly ended; and each
 * place is at another token, which is more to keep where attention must know it. */
#include "batch.h"

static enum aisp_status run(const struct aisp_call *call)
{
    struct batch b;

    batch_open(&b, call);
    while (b.n > 0 || b.door.taken < b.door.requests) {
        if (b.n == 0)
            door_wait(&b.door);
        come_in(&b);
        step(&b);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: a free place goes to the next request at once\n"
             "expect: TTFT p99 / 5\n"
             "uses: allocates");

AISP_VARIANT = {
    .abi = AISP_ABI, .workspace_bytes = batch_bytes, .setup = batch_setup, .run = run, .teardown = batch_teardown,
};
