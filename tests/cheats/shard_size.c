/* shard_size - cuts the work into equal shares, which the harness's shards are not: what the second rank has beyond its share is
 * left out.
 *
 * @problem shards
 * @defence COMPARE_OUTPUTS
 * @says rank 1 left
 * @says do not tile the whole */
#include "tests/problems/shards/shards.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t share = c->param[N] / c->n_ranks, mine = shard_of(c);

    honest(c, 0, share < mine ? share : mine);
    barrier(c);
    return AISP_OK;
}

AISP_DECLARE("idea: fair shares");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
