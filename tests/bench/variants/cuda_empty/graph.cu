/* graph - 100 kernels that do nothing, one behind the other, in one launch. */
#include <aisp/kernel_kit.cuh>

enum { KERNELS = 100 };

static cudaGraphExec_t graph_of_all;

__global__ static void nothing(void)
{
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    cudaStream_t stream;
    cudaGraph_t graph;

    AISP_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    AISP_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < KERNELS; i++)
        nothing<<<1, 1, 0, stream>>>();
    AISP_CUDA(cudaStreamEndCapture(stream, &graph));
    AISP_CUDA(cudaGraphInstantiate(&graph_of_all, graph, 0));
    AISP_CUDA(cudaGraphUpload(graph_of_all, (cudaStream_t)s->stream));
    AISP_CUDA(cudaGraphDestroy(graph));
    AISP_CUDA(cudaStreamDestroy(stream));
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *call)
{
    AISP_CUDA(cudaGraphLaunch(graph_of_all, aisp_stream(call)));
    return AISP_OK;
}

AISP_DECLARE("idea: a graph of a hundred\n"
             "uses: graphs");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = setup, .run = run, .teardown = NULL };
