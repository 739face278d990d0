/* graphs.cuh - a graph of one kernel on the tensors of a slot, captured in setup. */
#include "tests/problems/card_roots/roots.cuh"

static inline enum aisp_status capture(const struct aisp_setup *s, int slot, cudaGraphExec_t *exec)
{
    cudaStream_t apart;
    cudaGraph_t graph;

    AISP_CUDA(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
    AISP_CUDA(cudaStreamBeginCapture(apart, cudaStreamCaptureModeThreadLocal));
    roots<<<aisp_blocks(s->param[N], THREADS), THREADS, 0, apart>>>((const float *)s->slot[slot][X], (float *)s->slot[slot][Y],
                                                                   s->param[N], s->param[STEPS]);
    AISP_CUDA(cudaGetLastError());
    AISP_CUDA(cudaStreamEndCapture(apart, &graph));
    AISP_CUDA(cudaGraphInstantiate(exec, graph, 0));
    AISP_CUDA(cudaGraphDestroy(graph));
    AISP_CUDA(cudaStreamDestroy(apart));
    return AISP_OK;
}
