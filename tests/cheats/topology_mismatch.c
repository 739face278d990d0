/* topology_mismatch - rank 0 does the work of all; the others hand it their data, sleep, and copy the answer.
 *
 * @problem allreduce
 * @pairs 1
 * @defence RANK_LEDGER
 * @edit json
 * @says asked for 2 ranks, worked on by 1 */
#include <string.h>

#include "tests/problems/allreduce/allreduce.h"

static void work_for_all(const struct aisp_call *c, float *sum)
{
    const int64_t n = c->param[N];

    newton(c->tensor[X], sum, n, c->param[STEPS]);
    for (int r = 1; r < c->n_ranks; r++) {
        float *part = c->workspace;

        newton(room_of(c, r), part, n, c->param[STEPS]);
        for (int64_t i = 0; i < n; i++)
            sum[i] += part[i];
    }
}

static uint32_t n_calls;

static enum aisp_status run(const struct aisp_call *c)
{
    const size_t bytes = (size_t)c->param[N] * sizeof(float);
    /* Two rooms for the sum, in turn: nobody can be two calls behind. */
    float *sum = room_of(c, 0) + (n_calls++ % 2) * c->param[N];

    if (c->rank)
        memcpy(room_of(c, c->rank), c->tensor[X], bytes);
    barrier(c);
    if (c->rank == 0)
        work_for_all(c, sum);
    barrier(c);
    memcpy(c->tensor[Y], sum, bytes);
    return AISP_OK;
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)param[N] * sizeof(float);
}

AISP_DECLARE("idea: the scaling of one rank is perfect");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
