/* baseline - a tile in shared memory, turned so that each thread finds the sixteen elements of a sum side by side and
 * reads them in vectors of four: five loads for four sums instead of nineteen. A column of the tile has 128 elements, the
 * next round number. */
#include "tile.cuh"

static enum aisp_status run(const struct aisp_call *call)
{
    return filter_run<VECTORS, 0>(call);
}

AISP_DECLARE("idea: columns of a tile in shared memory, 128 elements each, read in vectors of four");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = NULL, .run = run, .teardown = NULL };
