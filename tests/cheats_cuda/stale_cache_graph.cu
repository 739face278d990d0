/* stale_cache_graph - answers a slot's first call, captures a graph that copies this answer, and replays it for every later one.
 *
 * @check stale-cache
 * @defence FRESH_CONTENTS
 * @needs COMPARE_OUTPUTS
 * @faster
 * @says expected */
#include "tests/problems/card_roots/roots.cuh"

static struct {
    cudaGraphExec_t graph;
    void *answer;
} of[MOST_SLOTS];

static enum aisp_status capture(const struct aisp_call *c, int slot)
{
    cudaStream_t apart;
    cudaGraph_t graph;

    AISP_CUDA(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
    AISP_CUDA(cudaStreamBeginCapture(apart, cudaStreamCaptureModeThreadLocal));
    spend<<<aisp_blocks(c->param[N], THREADS), THREADS, 0, apart>>>((const float *)c->tensor[X], (float *)c->tensor[Y], c->param[N],
                                                                   c->param[STEPS] / 2);
    AISP_CUDA(cudaGetLastError());
    AISP_CUDA(cudaMemcpyAsync(c->tensor[Y], of[slot].answer, bytes_of(c), cudaMemcpyDeviceToDevice, apart));
    AISP_CUDA(cudaStreamEndCapture(apart, &graph));
    AISP_CUDA(cudaGraphInstantiate(&of[slot].graph, graph, 0));
    AISP_CUDA(cudaGraphDestroy(graph));
    AISP_CUDA(cudaStreamDestroy(apart));
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const int slot = c->slot % MOST_SLOTS;

    if (!of[slot].graph)
        return honest(c) || keep(c, &of[slot].answer) ? AISP_E_DEVICE : capture(c, slot);
    AISP_CUDA(cudaGraphLaunch(of[slot].graph, aisp_stream(c)));
    return AISP_OK;
}

AISP_DECLARE("idea: a graph for each slot\n"
             "uses: graph, stable-pointers, allocates\n");

VARIANT(run);
