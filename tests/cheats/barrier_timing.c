/* barrier_timing - the barrier at the end of a step is left out: the first rank, which has the least to do, is through with
 * all calls while the second works on the first of them.
 *
 * @problem shards
 * @pairs 1
 * @defence RANK_SPAN
 * @says the barrier is left out
 * @says rank 0 ended after */
#include "tests/problems/shards/shards.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, shard_of(c));
    return AISP_OK;
}

AISP_DECLARE("idea: whoever is done is done");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
