/* baseline - a tile of 64 rows is packed, then multiplied, then the next one is packed. */
#include <aisp/variant.h>

#include "problem.h"
#include "tiles.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const struct work work = work_of(call);
    float *tile = call->workspace;

    for (int64_t begin = 0; begin < work.picks; begin += TILE) {
        const int64_t end = least(begin + TILE, work.picks);

        pack(&work, begin, end, tile);
        for (int64_t i = begin; i < end; i += GROUP)
            multiply_packed(&work, tile + (i - begin) * work.width, least(GROUP, end - i), work.y + i * OUTPUTS);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: pack a tile, multiply it, pack the next");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = tile_bytes, .run = run };
