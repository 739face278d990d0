/* topology_mismatch - rank 0 sums for all, too, and the others copy the answer; but the parts are everybody's own.
 *
 * @problem allreduce
 * @pairs 2 */
#include <string.h>

#include "tests/problems/allreduce/allreduce.h"

static enum aisp_status run(const struct aisp_call *c)
{
    float *sum = room_of(c, 0);

    newton(c->tensor[X], room_of(c, c->rank), c->param[N], c->param[STEPS]);
    barrier(c);
    for (int r = 1; r < c->n_ranks && c->rank == 0; r++)
        for (int64_t i = 0; i < c->param[N]; i++)
            sum[i] += room_of(c, r)[i];
    barrier(c);
    memcpy(c->tensor[Y], sum, (size_t)c->param[N] * sizeof *sum);
    barrier(c);
    return AISP_OK;
}

AISP_DECLARE("idea: one adds, all copy");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
