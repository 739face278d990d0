/* shard_size_overlap - each rank computes the first element of the next shard as well, beside its own.
 *
 * @check shard-size
 * @problem shards
 * @defence GUARDS
 * @says shards overlap */
#include "tests/problems/shards/shards.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, shard_of(c));
    ((float *)c->tensor[Y])[shard_of(c)] = 1;
    barrier(c);
    return AISP_OK;
}

AISP_DECLARE("idea: shards with a rim");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
