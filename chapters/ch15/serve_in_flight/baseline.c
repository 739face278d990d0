/* baseline - batch after batch: as many requests as are there and have a place are decoded together until the last of them
 * has ended. Who has ended leaves, so that no product is for nothing; nobody comes in before all have left. */
#include "batch.h"

static enum aisp_status run(const struct aisp_call *call)
{
    struct batch b;

    batch_open(&b, call);
    while (b.door.taken < b.door.requests) {
        door_wait(&b.door);
        come_in(&b);
        while (b.n > 0)
            step(&b);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: static batches, which shrink\n"
             "uses: allocates");

AISP_VARIANT = {
    .abi = AISP_ABI, .workspace_bytes = batch_bytes, .setup = batch_setup, .run = run, .teardown = batch_teardown,
};
