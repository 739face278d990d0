/* rank_skipping - rank 0 does its part; the others return at once.
 *
 * @problem shards
 * @defence COMPARE_OUTPUTS
 * @says rank 1 wrote nothing */
#include "tests/problems/shards/shards.h"

static enum aisp_status run(const struct aisp_call *c)
{
    if (c->rank == 0)
        honest(c, 0, shard_of(c));
    return AISP_OK;
}

AISP_DECLARE("idea: nobody looks at the other ranks");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
