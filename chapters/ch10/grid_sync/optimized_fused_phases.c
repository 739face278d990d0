/* optimized_fused_phases - up to 32 sweeps between two barriers: a piece of 4096 cells with a margin as wide as there are
 * sweeps goes through all of them in two buffers of 16 KiB.
 * Expected: each of 8 sweeps reads 8 MiB and writes 8 MiB far from the core; now they do so once, and 0.2 % of the cells are
 * swept twice. One core: 1.25x where the third cache holds the cells, 2x where they come from memory, until the sweeps
 * themselves are the limit; many cores share one bandwidth and gain more, and meet once instead of 8 times.
 * Costs: two buffers a thread; margins, which outgrow the pieces where sweeps are many (hence at most 32 at once). */
#include "pieces.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    return pieces_setup(s, sweep, NULL);
}

AISP_DECLARE("idea: all sweeps of a piece and its margin between two barriers\n"
             "expect: L2 misses / 10\n"
             "uses: threads");

AISP_VARIANT = {
    .abi = AISP_ABI, .workspace_bytes = pieces_workspace, .setup = setup, .run = pieces_run, .teardown = pieces_teardown,
};
