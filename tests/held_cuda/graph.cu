/* graph - a graph of 100 kernels for each slot, one launch a call. */
#include "tests/held_cuda/held.cuh"

enum { KERNELS = 100, MOST_SLOTS = 64 };

static cudaGraphExec_t of_slot[MOST_SLOTS];
static const void *output[MOST_SLOTS];
static int n_slots;

static enum aisp_status capture(const struct aisp_setup *s, int slot)
{
    struct aisp_call c = {};
    cudaStream_t stream;
    cudaGraph_t graph;

    c.tensor = s->slot[slot];
    c.param = s->param;
    AISP_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    AISP_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < KERNELS; i++)
        if (add_on(&c, stream))
            return AISP_E_DEVICE;
    AISP_CUDA(cudaStreamEndCapture(stream, &graph));
    AISP_CUDA(cudaGraphInstantiate(&of_slot[slot], graph, 0));
    AISP_CUDA(cudaGraphUpload(of_slot[slot], (cudaStream_t)s->stream));
    AISP_CUDA(cudaGraphDestroy(graph));
    AISP_CUDA(cudaStreamDestroy(stream));
    output[slot] = c.tensor[Y];
    return AISP_OK;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    n_slots = s->n_slots < MOST_SLOTS ? s->n_slots : MOST_SLOTS;
    for (int slot = 0; slot < n_slots; slot++) {
        const enum aisp_status st = capture(s, slot);

        if (st)
            return st;
    }
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    for (int slot = 0; slot < n_slots; slot++)
        if (output[slot] == c->tensor[Y]) {
            AISP_CUDA(cudaGraphLaunch(of_slot[slot], aisp_stream(c)));
            return AISP_OK;
        }
    return AISP_E_DEVICE;
}

HELD("a graph for each slot", setup);
