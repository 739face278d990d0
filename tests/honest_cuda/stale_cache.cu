/* stale_cache - keeps something for each slot as well, a graph, which computes the slot's answer out of what lies there when it is
 * launched.
 *
 * @pairs 2 */
#include "tests/problems/card_roots/roots.cuh"

static cudaGraphExec_t of[MOST_SLOTS];

static enum aisp_status capture(const struct aisp_setup *s, int slot, cudaStream_t apart)
{
    const int64_t n = s->param[N];
    cudaGraph_t graph;

    AISP_CUDA(cudaStreamBeginCapture(apart, cudaStreamCaptureModeThreadLocal));
    roots<<<aisp_blocks(n, THREADS), THREADS, 0, apart>>>((const float *)s->slot[slot][X], (float *)s->slot[slot][Y], n,
                                                         s->param[STEPS]);
    AISP_CUDA(cudaGetLastError());
    AISP_CUDA(cudaStreamEndCapture(apart, &graph));
    AISP_CUDA(cudaGraphInstantiate(&of[slot], graph, 0));
    AISP_CUDA(cudaGraphDestroy(graph));
    return AISP_OK;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    cudaStream_t apart;

    AISP_CUDA(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
    for (int i = 0; i < s->n_slots && i < MOST_SLOTS; i++)
        if (capture(s, i, apart))
            return AISP_E_DEVICE;
    AISP_CUDA(cudaStreamDestroy(apart));
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    AISP_CUDA(cudaGraphLaunch(of[c->slot], aisp_stream(c)));
    return AISP_OK;
}

#ifndef WITHOUT_DECLARATION
AISP_DECLARE("idea: a graph for each slot, made once\n"
             "uses: graph, stable-pointers\n");
#endif

VARIANT_WITH_SETUP(setup, run);
