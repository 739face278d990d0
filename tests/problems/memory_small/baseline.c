/* baseline - holds a copy of the whole input. */
#include "tests/problems/memory_small/small.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    const size_t bytes = (size_t)s->param[N] * sizeof(float);

    *s->state = malloc(bytes);
    if (!*s->state)
        return AISP_E_NO_MEMORY;
    memset(*s->state, 0, bytes);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    by_way_of(c, c->state, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: a copy of all, held from call to call\nuses: allocates");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
