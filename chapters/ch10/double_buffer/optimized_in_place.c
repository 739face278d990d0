/* optimized_in_place - two stages and no buffer: rows are asked for a tile ahead and then multiplied where they lie, for the
 * ring of tiles is the cache itself.
 * Expected: the copy falls away, 256 bytes read and written a row: 1.05 to 1.2x over three_stages. It pays because rows are
 * whole lines and the kernel reads them in order; a kernel that needs another layout has to pack.
 * Costs: as much as three_stages, less the buffers. */
#include <aisp/variant.h>

#include "problem.h"
#include "tiles.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const struct work work = work_of(call);

    prefetch(&work, 0, TILE);
    for (int64_t i = 0; i < work.picks; i += GROUP) {
        const int64_t n = least(GROUP, work.picks - i);
        const float *row[GROUP] = { 0 };

        for (int64_t r = 0; r < n; r++)
            row[r] = picked(&work, i + r);
        prefetch(&work, i + TILE, i + TILE + GROUP);
        multiply(&work, row, n, work.y + i * OUTPUTS);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: rows are asked for a tile ahead and multiplied where they lie\n"
             "expect: L1 stores / 3");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
