/* pipeline_bubble - the first stage hands all calls on as they come and is done long before the last stage, which does the work
 * of both: by the clock of the first stage nothing is ever filled or drained.
 *
 * @problem pipeline
 * @pairs 1
 * @defence RANK_SPAN
 * @says its steady state is not the time of a call
 * @says stage 0 ran */
#include <string.h>

#include "tests/problems/pipeline/pipeline.h"

enum { CONSUMED = 16 };

/* A ring of as many calls as the rendezvous holds. */
static float *place_of(const struct aisp_call *c, uint32_t call)
{
    const size_t each = (size_t)c->param[N] * sizeof(float),
                 n = (c->rendezvous_bytes - MEET_HEAD) / each;

    return (float *)((char *)c->rendezvous + MEET_HEAD + call % n * each);
}

static enum aisp_status run(const struct aisp_call *c)
{
    const size_t each = (size_t)c->param[N] * sizeof(float);
    const uint32_t n = (uint32_t)((c->rendezvous_bytes - MEET_HEAD) / each);
    struct meet *m = c->rendezvous;
    struct progress *p = c->state;
    float *x = place_of(c, p->batches++), *h = c->workspace;

    if (c->rank == 0) {
        await(&m->counter[CONSUMED], p->batches > n ? p->batches - n : 0);
        memcpy(x, c->tensor[X], each);
        count_up(&m->counter[FILLED]);
        newton(x, c->tensor[Y], 1, c->param[STEPS]);
        return AISP_OK;
    }
    await(&m->counter[FILLED], p->batches);
    newton(x, h, c->param[N], c->param[STEPS]);
    newton(h, c->tensor[Y], c->param[N], c->param[STEPS]);
    count_up(&m->counter[CONSUMED]);
    return AISP_OK;
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)param[N] * sizeof(float);
}

AISP_DECLARE("idea: the first stage never waits");

AISP_VARIANT = {
    .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .setup = start_progress, .run = run
};
