/* optimized_two_buffers - while a tile is multiplied the next one is packed into a second buffer, four rows after each four
 * rows.
 * Expected: on a core that runs in order, or with a copy engine, the load would vanish. A core that runs ahead does so by
 * 200 to 250 instructions, and four rows take 900: of the waits for packed rows hardly any lie under the multiplication, and
 * where a whole tile is packed in one go some eight rows are under way at once, here only four. It loses, 0.8x of the
 * baseline, and is the step that the next one needs: two buffers are no use before the loads are asked for without being
 * waited for.
 * Costs: a second buffer, and code for the first and the last tile. */
#include <aisp/variant.h>

#include "problem.h"
#include "tiles.h"

static size_t workspace_bytes(const int64_t *param)
{
    return 2 * tile_bytes(param);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const struct work work = work_of(call);
    float *tile = call->workspace, *next = tile + TILE * work.width;

    pack(&work, 0, TILE, tile);
    for (int64_t begin = 0; begin < work.picks; begin += TILE) {
        const int64_t end = least(begin + TILE, work.picks);
        float *used = tile;

        for (int64_t i = begin; i < end; i += GROUP) {
            const int64_t at = (i - begin) * work.width;

            multiply_packed(&work, tile + at, least(GROUP, end - i), work.y + i * OUTPUTS);
            pack(&work, i + TILE, i + TILE + GROUP, next + at);
        }
        tile = next;
        next = used;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: the next tile is packed while this one is multiplied\n"
             "expect: cycles / 0.8");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
