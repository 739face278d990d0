/* try_launch.cu - ways to launch, executed: a graph that is replayed and updated, cooperative launch with a barrier of the whole
 * grid, and programmatic dependent launch. Not here: what needs the device runtime (device_runtime.cu). */
#include "peak_cuda/measure.cuh"

#include <cooperative_groups.h>

enum { THREADS = 128, N = 1 << 16, STEPS = 16 };

__global__ static void add(unsigned *x, unsigned n)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < N)
        x[i] += n;
}

/* All of x[0 .. N) are `n`? */
static bool holds(const unsigned *d_x, unsigned n, char *why)
{
    static unsigned x[N];
    int n_wrong = 0;

    PEAK_TRY(cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        n_wrong += x[i] != n;
    if (n_wrong)
        snprintf(why, PEAK_WHY, "%d of %d sums are wrong: the first is %u and not %u", n_wrong, N, x[0], n);
    return !n_wrong;
}

static bool open_sums(unsigned **d_x, cudaStream_t *stream, char *why)
{
    PEAK_TRY(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
    PEAK_TRY(cudaMalloc(d_x, N * sizeof **d_x));
    add<<<N / THREADS, THREADS, 0, *stream>>>(*d_x, 1);        /* code is loaded now, and not while a stream is captured */
    PEAK_TRY(cudaGetLastError());
    PEAK_TRY(cudaStreamSynchronize(*stream));
    PEAK_TRY(cudaMemset(*d_x, 0, N * sizeof **d_x));
    PEAK_TRY(cudaDeviceSynchronize());
    return true;
}

/* ---- graphs ---- */

static bool capture(unsigned *d_x, unsigned n, cudaStream_t stream, cudaGraph_t *graph, char *why)
{
    PEAK_TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < STEPS; i++)
        add<<<N / THREADS, THREADS, 0, stream>>>(d_x, n);
    PEAK_TRY(cudaStreamEndCapture(stream, graph));
    return true;
}

static bool run_graph(unsigned *d_x, cudaStream_t stream, char *why)
{
    cudaGraphExecUpdateResultInfo update;
    cudaGraphExec_t executable;
    cudaGraph_t graph, other;

    if (!capture(d_x, 1, stream, &graph, why) || !capture(d_x, 100, stream, &other, why))
        return false;
    PEAK_TRY(cudaGraphInstantiate(&executable, graph, 0));
    for (int i = 0; i < 3; i++)
        PEAK_TRY(cudaGraphLaunch(executable, stream));
    PEAK_TRY(cudaStreamSynchronize(stream));
    PEAK_TRY(cudaGraphExecUpdate(executable, other, &update));
    PEAK_TRY(cudaGraphLaunch(executable, stream));
    PEAK_TRY(cudaStreamSynchronize(stream));
    PEAK_TRY(cudaGraphExecDestroy(executable));
    PEAK_TRY(cudaGraphDestroy(graph));
    PEAK_TRY(cudaGraphDestroy(other));
    return holds(d_x, STEPS * (3 + 100), why);
}

/* ---- the whole grid's barrier ---- */

/* rotate - STEPS times x[i] = x[i + 1] + 1, all at once. y: N words of scratch. Launch: cooperative, any grid. */
__global__ static void rotate(unsigned *x, unsigned *y)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();

    for (int step = 0; step < STEPS; step++) {
        for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
            y[i] = x[(i + 1) % N] + 1;
        grid.sync();
        for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
            x[i] = y[i];
        grid.sync();
    }
}

static bool run_cooperative(unsigned *d_x, cudaStream_t stream, char *why)
{
    int device, n = 0, per_sm = 0;
    unsigned *d_y;
    void *args[] = { &d_x, &d_y };

    PEAK_TRY(cudaGetDevice(&device));
    PEAK_TRY(cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, device));
    PEAK_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, rotate, THREADS, 0));
    PEAK_TRY(cudaMalloc(&d_y, N * sizeof *d_y));
    PEAK_TRY(cudaLaunchCooperativeKernel((const void *)rotate, dim3((unsigned)(n * per_sm)), dim3(THREADS), args, 0, stream));
    PEAK_TRY(cudaStreamSynchronize(stream));
    PEAK_TRY(cudaFree(d_y));
    return holds(d_x, STEPS, why);
}

/* ---- programmatic dependent launch ---- */

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define LET_NEXT_BEGIN() cudaTriggerProgrammaticLaunchCompletion()
#define AWAIT_LAST() cudaGridDependencySynchronize()
#else
#define LET_NEXT_BEGIN()
#define AWAIT_LAST()
#endif

/* pass_on - lets the next kernel begin at once, waits for what came before it, adds one to each, and, as block 0, says whether
 * the next had begun when it was done: began[0] counts kernels that began, began[1] those that saw a later one begin.
 * The wait is bounded: a card that does not overlap loses some microseconds and not more. */
__global__ static void pass_on(unsigned *x, volatile unsigned *began, unsigned number)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    LET_NEXT_BEGIN();
    if (i == 0)
        atomicAdd((unsigned *)began, 1u);
    AWAIT_LAST();
    if (i < N)
        x[i] += 1;
    if (i == 0)
        for (int wait = 0; wait < 100000; wait++)
            if (began[0] > number + 1) {
                began[1] += 1;
                break;
            }
}

static bool run_dependent(unsigned *d_x, cudaStream_t stream, char *why)
{
    cudaLaunchAttribute attribute = {};
    cudaLaunchConfig_t config = {};
    unsigned *d_began, began[2];

    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = dim3(N / THREADS);
    config.blockDim = dim3(THREADS);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    PEAK_TRY(cudaMalloc(&d_began, sizeof began));
    PEAK_TRY(cudaMemset(d_began, 0, sizeof began));
    PEAK_TRY(cudaDeviceSynchronize());
    for (unsigned i = 0; i < STEPS; i++)
        PEAK_TRY(cudaLaunchKernelEx(&config, pass_on, d_x, (volatile unsigned *)d_began, i));
    PEAK_TRY(cudaStreamSynchronize(stream));
    PEAK_TRY(cudaMemcpy(began, d_began, sizeof began, cudaMemcpyDeviceToHost));
    PEAK_TRY(cudaFree(d_began));
    if (!holds(d_x, STEPS, why))
        return false;
    if (!began[1])
        snprintf(why, PEAK_WHY, "right, but none of %d kernels was seen to begin before the last ended", STEPS);
    return began[1] > 0;
}

/* ---- rows ---- */

static enum peak_answer try_run(bool (*run)(unsigned *, cudaStream_t, char *), char *why)
{
    cudaStream_t stream = NULL;
    unsigned *d_x = NULL;
    const bool is_right = open_sums(&d_x, &stream, why) && run(d_x, stream, why);

    cudaFree(d_x);
    if (stream)
        cudaStreamDestroy(stream);
    return is_right ? PEAK_YES : PEAK_ERROR;
}

static enum peak_answer try_graph(const struct peak_card *card, char *why)
{
    (void)card;
    return try_run(run_graph, why);
}

static enum peak_answer try_cooperative(const struct peak_card *card, char *why)
{
    int can = 0;

    if (cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, card->device) != cudaSuccess || !can) {
        snprintf(why, PEAK_WHY, "the card says that it has no cooperative launch");
        return PEAK_NO;
    }
    return try_run(run_cooperative, why);
}

static enum peak_answer try_dependent(const struct peak_card *card, char *why)
{
    if (card->major < 9) {
        snprintf(why, PEAK_WHY, "compute capability %d.%d is below 9.0", card->major, card->minor);
        return PEAK_NO;
    }
    return try_run(run_dependent, why);
}

extern "C" const struct peak_feature peak_launch_features[] = {
    { "graphs", "a captured graph, replayed, updated and replayed, its sums checked", try_graph },
    { "cooperative_launch", "a barrier of the whole grid, its order checked", try_cooperative },
    { "dependent_launch", "kernels that begin before the last has ended, sums and overlap checked", try_dependent },
    { 0 },
};
