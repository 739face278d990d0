/* device_runtime.cu - what kernels do with graphs, executed: a conditional node whose body a kernel switches off, and a graph
 * that launches another from the card. Alone in its file because it is linked with the device runtime, for which code has to
 * be relocatable. */
#include "peak_cuda/measure.cuh"

enum { TIMES = 10 };

/* ---- conditional nodes ---- */

__global__ static void count_down(unsigned *left, unsigned *done, cudaGraphConditionalHandle handle)
{
    *done += 1;
    *left -= 1;
    cudaGraphSetConditional(handle, *left > 0);
}

static bool build_loop(cudaGraph_t graph, unsigned *d_count, char *why)
{
    cudaGraphNodeParams loop = {}, body = {};
    cudaGraphConditionalHandle handle;
    cudaGraphNode_t node;
    unsigned *d_done = d_count + 1;
    void *args[] = { &d_count, &d_done, &handle };

    PEAK_TRY(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    loop.type = cudaGraphNodeTypeConditional;
    loop.conditional.handle = handle;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
    PEAK_TRY(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &loop));
    body.type = cudaGraphNodeTypeKernel;
    body.kernel.func = (void *)count_down;
    body.kernel.gridDim = body.kernel.blockDim = dim3(1);
    body.kernel.kernelParams = args;
    PEAK_TRY(cudaGraphAddNode(&node, loop.conditional.phGraph_out[0], NULL, NULL, 0, &body));
    return true;
}

static bool run_loop(unsigned *d_count, char *why)
{
    unsigned count[2] = { TIMES, 0 };
    cudaGraphExec_t executable;
    cudaGraph_t graph;

    PEAK_TRY(cudaMemcpy(d_count, count, sizeof count, cudaMemcpyHostToDevice));
    PEAK_TRY(cudaGraphCreate(&graph, 0));
    if (!build_loop(graph, d_count, why))
        return false;
    PEAK_TRY(cudaGraphInstantiate(&executable, graph, 0));
    PEAK_TRY(cudaGraphLaunch(executable, 0));
    PEAK_TRY(cudaDeviceSynchronize());
    PEAK_TRY(cudaMemcpy(count, d_count, sizeof count, cudaMemcpyDeviceToHost));
    PEAK_TRY(cudaGraphExecDestroy(executable));
    PEAK_TRY(cudaGraphDestroy(graph));
    if (count[0] != 0 || count[1] != TIMES)
        snprintf(why, PEAK_WHY, "the body ran %u times and not %d", count[1], TIMES);
    return count[0] == 0 && count[1] == TIMES;
}

/* ---- a graph launched from the card ---- */

__global__ static void mark(unsigned *count)
{
    atomicAdd(count + 1, 1u);
}

/* When its own graph is done, the other begins. */
__global__ static void launch_other(unsigned *count, cudaGraphExec_t other)
{
    count[0] = (unsigned)cudaGraphLaunch(other, cudaStreamGraphTailLaunch);
}

static bool launchable(cudaGraphExec_t *executable, void *kernel, void **args, char *why)
{
    cudaGraphNodeParams node = {};
    cudaGraphNode_t made;
    cudaGraph_t graph;

    PEAK_TRY(cudaGraphCreate(&graph, 0));
    node.type = cudaGraphNodeTypeKernel;
    node.kernel.func = kernel;
    node.kernel.gridDim = node.kernel.blockDim = dim3(1);
    node.kernel.kernelParams = args;
    PEAK_TRY(cudaGraphAddNode(&made, graph, NULL, NULL, 0, &node));
    PEAK_TRY(cudaGraphInstantiate(executable, graph, cudaGraphInstantiateFlagDeviceLaunch));
    PEAK_TRY(cudaGraphDestroy(graph));
    return true;
}

static bool run_from_card(unsigned *d_count, char *why)
{
    cudaGraphExec_t first = NULL, second = NULL;
    void *of_second[] = { &d_count }, *of_first[] = { &d_count, &second };
    unsigned count[2] = { ~0u, 0 };

    PEAK_TRY(cudaMemcpy(d_count, count, sizeof count, cudaMemcpyHostToDevice));
    if (!launchable(&second, (void *)mark, of_second, why))
        return false;
    PEAK_TRY(cudaGraphUpload(second, 0));
    if (!launchable(&first, (void *)launch_other, of_first, why))
        return false;
    PEAK_TRY(cudaGraphLaunch(first, 0));
    PEAK_TRY(cudaDeviceSynchronize());
    PEAK_TRY(cudaMemcpy(count, d_count, sizeof count, cudaMemcpyDeviceToHost));
    PEAK_TRY(cudaGraphExecDestroy(first));
    PEAK_TRY(cudaGraphExecDestroy(second));
    if (count[0] || count[1] != 1)
        snprintf(why, PEAK_WHY, "the launch from the card answers %u, and the other graph ran %u times", count[0], count[1]);
    return !count[0] && count[1] == 1;
}

/* ---- rows ---- */

static enum peak_answer try_run(bool (*run)(unsigned *, char *), char *why)
{
    unsigned *d_count = NULL;
    bool is_right = cudaMalloc(&d_count, 2 * sizeof *d_count) == cudaSuccess;

    if (!is_right)
        snprintf(why, PEAK_WHY, "no memory on the card");
    is_right = is_right && run(d_count, why);
    cudaFree(d_count);
    return is_right ? PEAK_YES : PEAK_ERROR;
}

static enum peak_answer try_loop(const struct peak_card *card, char *why)
{
    if (card->driver < 12040) {
        snprintf(why, PEAK_WHY, "the driver is for CUDA %d.%d: conditional nodes came with 12.4", card->driver / 1000,
                 card->driver % 1000 / 10);
        return PEAK_NO;
    }
    return try_run(run_loop, why);
}

static enum peak_answer try_from_card(const struct peak_card *card, char *why)
{
    (void)card;
    return try_run(run_from_card, why);
}

extern "C" const struct peak_feature peak_device_launch_features[] = {
    { "conditional_nodes", "a while node that a kernel ends, its rounds counted", try_loop },
    { "device_graph_launch", "a graph launched by a kernel, its work checked", try_from_card },
    { 0 },
};
