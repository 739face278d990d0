/* optimized_pieces - hand-over goes on within a layer too, 256 tokens at a time.
 * Expected: only the last piece of the last layer is left to hand over behind the prefill, T / 64 instead of T / 8, and a
 * piece, 32 KiB, is still in the other core's cache: up to 1.05x over optimized_layerwise, and less than that if the decode
 * rank has to be woken by a system call for each piece. On two cores of a virtual machine both took the same time.
 * Costs: a flag for every piece. */
#include "ranks.h"

enum { PIECE = 256 };

static enum aisp_status run(const struct aisp_call *call)
{
    return hand_over_in_pieces(call, PIECE);
}

AISP_DECLARE("idea: 256 tokens of a layer at a time\n"
             "expect: time / 1.05 of optimized_layerwise");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = ranks_workspace, .run = run };
