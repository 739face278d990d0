/* collective_short_circuit - takes its own part from where it is, too, and adds those of the others.
 *
 * @problem allreduce */
#include "tests/problems/allreduce/allreduce.h"

static enum aisp_status run(const struct aisp_call *c)
{
    float *y = c->tensor[Y], *mine = room_of(c, c->rank);

    newton(c->tensor[X], y, c->param[N], c->param[STEPS]);
    for (int64_t i = 0; i < c->param[N]; i++)
        mine[i] = y[i];
    barrier(c);
    for (int r = 0; r < c->n_ranks; r++)
        for (int64_t i = 0; i < c->param[N] && r != c->rank; i++)
            y[i] += room_of(c, r)[i];
    barrier(c);
    return AISP_OK;
}

AISP_DECLARE("idea: one's own part need not travel");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
