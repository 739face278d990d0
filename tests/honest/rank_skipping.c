/* rank_skipping - the first rank, which has the least to do, leaves the code early too; its shard is done then.
 *
 * @problem shards */
#include "tests/problems/shards/shards.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, shard_of(c) / 2);
    if (c->rank == 0) {
        honest(c, shard_of(c) / 2, shard_of(c));
        barrier(c);
        return AISP_OK;
    }
    honest(c, shard_of(c) / 2, shard_of(c));
    barrier(c);
    return AISP_OK;
}

AISP_DECLARE("idea: another way for each rank");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
