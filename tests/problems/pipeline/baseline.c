/* baseline - batch by batch, and no new call before the last batch is through. */
#include "tests/problems/pipeline/pipeline.h"

static enum aisp_status run(const struct aisp_call *c)
{
    struct meet *m = c->rendezvous;
    struct progress *p = c->state;
    float *h = room_of(c, 0);

    for (int b = 0; b < BATCHES; b++) {
        p->batches++;
        if (c->rank == 0) {
            first_stage(c, h, b, c->param[STEPS]);
            count_up(&m->counter[FILLED]);
        } else {
            await(&m->counter[FILLED], p->batches);
            second_stage(c, h, b);
        }
    }
    if (c->rank == 0)
        *(float *)c->tensor[Y] = h[0];
    barrier(c);
    return AISP_OK;
}

AISP_DECLARE("idea: the second stage begins with the first batch");

AISP_VARIANT = { .abi = AISP_ABI, .setup = start_progress, .run = run };
