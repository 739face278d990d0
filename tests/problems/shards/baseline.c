/* baseline - each rank its shard, and a barrier. */
#include "tests/problems/shards/shards.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, shard_of(c));
    barrier(c);
    return AISP_OK;
}

AISP_DECLARE("idea: to each rank its shard");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
