/* optimized_graph - all steps captured once as a graph for each call slot; a call is one launch of it.
 * Expected: a launch costs the host about 2 us and a step on the device 1 us or less, so that the device waits for the host; of
 * a graph the device takes the next kernel by itself: 1.2 to 1.5 us a step instead of 2 to 3.5, 1.8x to 2.5x.
 * Costs: instantiation, about as much as ten calls, before the first one; addresses and launch sizes that may not change. */
#include "replay.cuh"

static enum aisp_status setup(const struct aisp_setup *setup)
{
    return replay_init(setup, 0);
}

AISP_DECLARE("idea: the launches of a call captured once as a graph and replayed\n"
             "expect: host time a step / 20, gaps between kernels / 2\n"
             "uses: graph, stable-pointers");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = scratch_bytes, .setup = setup, .run = replay_run,
                 .teardown = replay_free };
