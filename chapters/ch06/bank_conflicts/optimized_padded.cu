/* optimized_padded - a column of the tile has 132 elements, one vector more than a power of two.
 * Expected: shared memory serves eight threads of a vector each at a time, if they want different banks. Columns 128
 * elements apart begin in the same four banks, so that the eight take eight turns; 132 apart they take one. Shared memory
 * was what all waited for, and now it is memory: 1.8x to 2.5x.
 * Costs: 512 bytes a tile. */
#include "tile.cuh"

static enum aisp_status run(const struct aisp_call *call)
{
    return filter_run<VECTORS + 1, 0>(call);
}

AISP_DECLARE("idea: columns of the tile one vector longer than a power of two, so that neighbours begin in other banks\n"
             "expect: shared wavefronts / 8");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = NULL, .run = run, .teardown = NULL };
