/* replay.cuh - a graph for each call slot, captured in setup with the slot's addresses, and its replay. */
#ifndef GRAPH_REPLAY_REPLAY_CUH
#define GRAPH_REPLAY_REPLAY_CUH

#include "steps.cuh"

struct replay { struct program program; int n_slots; cudaGraphExec_t *graph; };

static inline void replay_free(void *of)
{
    struct replay *r = (struct replay *)of;

    if (!r)
        return;
    for (int s = 0; r->graph && s < r->n_slots; s++)
        if (r->graph[s])
            cudaGraphExecDestroy(r->graph[s]);
    free(r->graph);
    program_release(&r->program);
    free(r);
}

/* Capture launches nothing: contents of the slot do not matter, its addresses do. */
static inline enum aisp_status replay_capture(struct replay *r, const struct aisp_setup *setup, int slot, int is_early)
{
    const cudaStream_t stream = (cudaStream_t)setup->stream;
    void *const *tensor = setup->slot[slot];
    cudaGraph_t graph = NULL;
    cudaError_t error;
    enum aisp_status st;

    AISP_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    st = launch_program(&r->program, stream, (const float *)tensor[X], (float *)tensor[Y], (float *)setup->workspace, is_early);
    error = cudaStreamEndCapture(stream, &graph);
    if (!st && error == cudaSuccess)
        error = cudaGraphInstantiate(&r->graph[slot], graph, 0);
    if (!st && error == cudaSuccess)
        error = cudaGraphUpload(r->graph[slot], stream);
    if (graph)
        cudaGraphDestroy(graph);
    if (!st)
        AISP_CUDA(error);
    return st;
}

static inline enum aisp_status replay_init(const struct aisp_setup *setup, int is_early)
{
    struct replay *r = (struct replay *)calloc(1, sizeof *r);
    enum aisp_status st;

    *setup->state = r;
    if (!r)
        return AISP_E_NO_MEMORY;
    r->graph = (cudaGraphExec_t *)calloc((size_t)setup->n_slots, sizeof *r->graph);
    if (!r->graph)
        return AISP_E_NO_MEMORY;
    r->n_slots = setup->n_slots;
    st = program_init(&r->program, setup);
    for (int s = 0; s < r->n_slots && !st; s++)
        st = replay_capture(r, setup, s, is_early);
    return st;
}

static inline enum aisp_status replay_run(const struct aisp_call *call)
{
    const struct replay *r = (const struct replay *)call->state;

    AISP_CUDA(cudaGraphLaunch(r->graph[call->slot], aisp_stream(call)));
    return AISP_OK;
}

#endif
