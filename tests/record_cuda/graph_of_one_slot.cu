/* graph_of_one_slot - the graph of slot 0, replayed for the calls of all. */
#include "tests/record_cuda/graphs.cuh"

static cudaGraphExec_t one;

static enum aisp_status setup(const struct aisp_setup *s)
{
    return capture(s, 0, &one);
}

static enum aisp_status run(const struct aisp_call *c)
{
    AISP_CUDA(cudaGraphLaunch(one, aisp_stream(c)));
    return AISP_OK;
}

AISP_DECLARE("idea: one graph\n"
             "uses: graph, stable-pointers\n");

VARIANT_WITH_SETUP(setup, run);
