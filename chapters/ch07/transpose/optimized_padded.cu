/* optimized_padded - rows of the tile are one element longer, 33 instead of 32.
 * Expected: elements of a column lie in 32 different banks, so that a warp reads one in one step instead of 32: shared
 * memory, by which optimized_tiled is bound, is no longer what it waits for: 1.5x to 2x over it.
 * Costs: 128 bytes a tile. */
#include "padded.cuh"

static enum aisp_status run(const struct aisp_call *call)
{
    transpose_padded_launch(call);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: rows of the tile one element longer, so that no two elements of a column share a bank\n"
             "expect: shared load wavefronts / 32");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = NULL, .run = run, .teardown = NULL };
