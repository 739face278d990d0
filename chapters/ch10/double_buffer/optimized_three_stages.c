/* optimized_three_stages - a stage more: the rows of the tile after the next are asked for by prefetches, those of the next
 * are packed, those of this one multiplied, four rows of each in turn.
 * Expected: a prefetch leaves the window of the core at once, so that no instruction waits for memory any more: 64 rows lie
 * under way between asking and packing, two microseconds, where a miss takes 0.1. What is left are the multiplication, the
 * copies from cache, and of the load the walk of the page table, which even a prefetch waits for: 1.3 to 1.6x over the
 * baseline.
 * Costs: an instruction for each line; 16 KiB more in the first two caches. */
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

    prefetch(&work, 0, 2 * TILE);
    pack(&work, 0, TILE, tile);
    for (int64_t begin = 0; begin < work.picks; begin += TILE) {
        const int64_t end = least(begin + TILE, work.picks);
        float *used = tile;

        for (int64_t i = begin; i < end; i += GROUP) {
            const int64_t at = (i - begin) * work.width;

            prefetch(&work, i + 2 * TILE, i + 2 * TILE + GROUP);
            multiply_packed(&work, tile + at, least(GROUP, end - i), work.y + i * OUTPUTS);
            pack(&work, i + TILE, i + TILE + GROUP, next + at);
        }
        tile = next;
        next = used;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: ask for a tile, pack the one before it, multiply the one before that\n"
             "expect: cycles / 1.35");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
