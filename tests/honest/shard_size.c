/* shard_size - cuts its shard into equal pieces too, and does what is left over after them.
 *
 * @problem shards */
#include "tests/problems/shards/shards.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t mine = shard_of(c), piece = mine / 4;

    for (int i = 0; i < 4; i++)
        honest(c, i * piece, (i + 1) * piece);
    honest(c, 4 * piece, mine);
    barrier(c);
    return AISP_OK;
}

AISP_DECLARE("idea: four pieces and a rest");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
