/* graph_capture_table - one graph, captured once, whose kernel takes where its tensors lie out of a table on the device; before it is
 * replayed the call's number is written where the kernel looks for it. No argument of it names an input.
 *
 * @check graph-capture
 * @pairs 2 */
#include "tests/problems/card_roots/roots.cuh"

struct place {
    const float *x;
    float *y;
};
static struct place *places;
static int *which, *number;
static cudaGraphExec_t replay;

/* roots_there - roots on x, y (n) of place[*which]. Launch: block 256, grid ceil(n/256). */
__global__ static void roots_there(const struct place *place, const int *which, int64_t n, int64_t steps)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const struct place here = place[*which];

    if (i < n)
        here.y[i] = root_of(here.x[i], steps);
}

static enum aisp_status make_table(const struct aisp_setup *s)
{
    struct place at[MOST_SLOTS];
    int numbers[MOST_SLOTS];

    for (int i = 0; i < s->n_slots; i++) {
        at[i].x = (const float *)s->slot[i][X];
        at[i].y = (float *)s->slot[i][Y];
        numbers[i] = i;
    }
    AISP_CUDA(cudaMalloc((void **)&places, sizeof at));
    AISP_CUDA(cudaMalloc((void **)&number, sizeof numbers));
    AISP_CUDA(cudaMalloc((void **)&which, sizeof *which));
    AISP_CUDA(cudaMemcpy(places, at, (size_t)s->n_slots * sizeof *at, cudaMemcpyHostToDevice));
    AISP_CUDA(cudaMemcpy(number, numbers, (size_t)s->n_slots * sizeof *numbers, cudaMemcpyHostToDevice));
    return AISP_OK;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    const int64_t n = s->param[N];
    cudaStream_t apart;
    cudaGraph_t graph;

    if (s->n_slots > MOST_SLOTS || make_table(s))
        return AISP_E_DEVICE;
    AISP_CUDA(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
    AISP_CUDA(cudaStreamBeginCapture(apart, cudaStreamCaptureModeThreadLocal));
    roots_there<<<aisp_blocks(n, THREADS), THREADS, 0, apart>>>(places, which, n, s->param[STEPS]);
    AISP_CUDA(cudaGetLastError());
    AISP_CUDA(cudaStreamEndCapture(apart, &graph));
    AISP_CUDA(cudaGraphInstantiate(&replay, graph, 0));
    AISP_CUDA(cudaGraphDestroy(graph));
    AISP_CUDA(cudaStreamDestroy(apart));
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    AISP_CUDA(cudaMemcpyAsync(which, number + c->slot, sizeof *which, cudaMemcpyDeviceToDevice, aisp_stream(c)));
    AISP_CUDA(cudaGraphLaunch(replay, aisp_stream(c)));
    return AISP_OK;
}

AISP_DECLARE("idea: one graph for all slots, and a table of where they lie\n"
             "uses: graph, stable-pointers\n");

VARIANT_WITH_SETUP(setup, run);
