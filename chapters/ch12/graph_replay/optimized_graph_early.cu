/* optimized_graph_early - the same graph with programmatic edges: the blocks of a step are brought to the multiprocessors while
 * the step before still runs, and wait there for its end (programmatic dependent launch).
 * Expected: what is left between two kernels of a graph is mostly the start of blocks, which now hides behind the step before:
 * 0.8 to 1.0 us a step instead of 1.2 to 1.5.
 * Costs: compute capability 9.0; waiting blocks hold registers and threads, as many steps deep as there is room; each kernel
 * must wait before its first access. On older cards the edges are whole ones, and this is optimized_graph. */
#include "replay.cuh"

static enum aisp_status setup(const struct aisp_setup *setup)
{
    return replay_init(setup, 1);
}

AISP_DECLARE("idea: a graph whose kernels are brought in while the one before still runs\n"
             "expect: gaps between kernels / 1.5\n"
             "uses: graph, stable-pointers");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = scratch_bytes, .setup = setup, .run = replay_run,
                 .teardown = replay_free };
