/* graph_of_each_slot - a graph for each slot, replayed for that slot's calls, and declared. */
#include "tests/record_cuda/graphs.cuh"

static cudaGraphExec_t of[MOST_SLOTS];

static enum aisp_status setup(const struct aisp_setup *s)
{
    for (int i = 0; i < s->n_slots && i < MOST_SLOTS; i++)
        if (capture(s, i, &of[i]))
            return AISP_E_DEVICE;
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    AISP_CUDA(cudaGraphLaunch(of[c->slot % MOST_SLOTS], aisp_stream(c)));
    return AISP_OK;
}

AISP_DECLARE("idea: a graph for each slot\n"
             "uses: graph, stable-pointers\n");

VARIANT_WITH_SETUP(setup, run);
