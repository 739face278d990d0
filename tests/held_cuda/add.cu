/* add - the definition: one kernel a call. */
#include "tests/held_cuda/held.cuh"

static enum aisp_status run(const struct aisp_call *c)
{
    return add_on(c, aisp_stream(c));
}

HELD("one kernel", NULL);
