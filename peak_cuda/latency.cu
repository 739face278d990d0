/* latency.cu - what the driver and the card cost where there is nothing to do: launches, graph nodes, events, waiting.
 * The value is the median of many, `burst` the least. */
#include "peak_cuda/measure.cuh"

#include <stdlib.h>
#include <time.h>

enum { MOST_SAMPLES = 4096, CHAIN = 512, LAUNCHES = 512 };

__global__ static void empty(void)
{
}

enum kind { LAUNCH, LAUNCH_CALL, GRAPH_NODE, EVENT_PAIR, EVENT_KERNEL, ROUND_TRIP };

struct trial {
    enum kind kind;
    cudaStream_t stream;
    cudaEvent_t from, to;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
};

static double now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static bool open_trial(struct trial *t, char *why)
{
    PEAK_TRY(cudaStreamCreateWithFlags(&t->stream, cudaStreamNonBlocking));
    PEAK_TRY(cudaEventCreate(&t->from));
    PEAK_TRY(cudaEventCreate(&t->to));
    empty<<<1, 32, 0, t->stream>>>();          /* its code is loaded before anything is timed or captured */
    PEAK_TRY(cudaStreamSynchronize(t->stream));
    if (t->kind != GRAPH_NODE)
        return true;
    PEAK_TRY(cudaStreamBeginCapture(t->stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < CHAIN; i++)
        empty<<<1, 32, 0, t->stream>>>();
    PEAK_TRY(cudaStreamEndCapture(t->stream, &t->graph));
    PEAK_TRY(cudaGraphInstantiate(&t->executable, t->graph, 0));
    return true;
}

static void close_trial(struct trial *t)
{
    if (t->executable)
        cudaGraphExecDestroy(t->executable);
    if (t->graph)
        cudaGraphDestroy(t->graph);
    if (t->from)
        cudaEventDestroy(t->from);
    if (t->to)
        cudaEventDestroy(t->to);
    if (t->stream)
        cudaStreamDestroy(t->stream);
}

/* Between two events, in microseconds. */
static bool elapsed(struct trial *t, double *us, char *why)
{
    float ms;

    PEAK_TRY(cudaEventRecord(t->to, t->stream));
    PEAK_TRY(cudaEventSynchronize(t->to));
    PEAK_TRY(cudaEventElapsedTime(&ms, t->from, t->to));
    *us = 1e3 * (double)ms;
    return true;
}

static bool time_launches(struct trial *t, double *us, char *why)
{
    const double begin = now_us();

    for (int i = 0; i < LAUNCHES; i++)
        empty<<<1, 32, 0, t->stream>>>();
    *us = (now_us() - begin) / LAUNCHES;
    PEAK_TRY(cudaGetLastError());
    PEAK_TRY(cudaStreamSynchronize(t->stream));
    if (t->kind == LAUNCH)
        *us = (now_us() - begin) / LAUNCHES;
    return true;
}

static bool time_round_trip(struct trial *t, double *us, char *why)
{
    const double begin = now_us();

    empty<<<1, 32, 0, t->stream>>>();
    PEAK_TRY(cudaStreamSynchronize(t->stream));
    *us = now_us() - begin;
    return true;
}

static bool sample(struct trial *t, double *us, char *why)
{
    if (t->kind == LAUNCH || t->kind == LAUNCH_CALL)
        return time_launches(t, us, why);
    if (t->kind == ROUND_TRIP)
        return time_round_trip(t, us, why);
    PEAK_TRY(cudaEventRecord(t->from, t->stream));
    if (t->kind == GRAPH_NODE)
        PEAK_TRY(cudaGraphLaunch(t->executable, t->stream));
    if (t->kind == EVENT_KERNEL)
        empty<<<1, 32, 0, t->stream>>>();
    if (!elapsed(t, us, why))
        return false;
    *us /= t->kind == GRAPH_NODE ? CHAIN : 1;
    return true;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static bool sample_all(struct trial *t, const struct peak_card *card, struct peak_result *r, char *why)
{
    static double us[MOST_SAMPLES];
    const double begin = now_us(), limit_us = 0.5e6 * card->sustain_s;
    double ignored;
    int n = 0;

    for (int i = 0; i < 20; i++)
        if (!sample(t, &ignored, why))
            return false;
    while (n < MOST_SAMPLES && (n < 20 || now_us() - begin < limit_us))
        if (!sample(t, &us[n++], why))
            return false;
    qsort(us, (size_t)n, sizeof *us, by_size);
    r->value = us[n / 2];
    r->burst = us[0];
    r->seconds = 1e-6 * (now_us() - begin);
    peak_nvml_clocks(&r->sm_mhz, &r->memory_mhz);
    r->clock_source = r->sm_mhz > 0 ? "nvml" : NULL;
    return true;
}

static bool run_latency(const struct peak_card *card, const struct peak_item *item, struct peak_result *r, char *why)
{
    struct trial t = { (enum kind)item->variant };
    const bool is_done = open_trial(&t, why) && sample_all(&t, card, r, why);

    close_trial(&t);
    return is_done;
}

extern "C" const struct peak_item peak_latency_items[] = {
    { "launch", "us", "an empty kernel among many in a stream", NULL, run_latency, LAUNCH },
    { "launch_call", "us", "the host's call that launches one", NULL, run_latency, LAUNCH_CALL },
    { "graph_node", "us", "an empty kernel in a chain of a graph", NULL, run_latency, GRAPH_NODE },
    { "event_pair", "us", "two events with nothing between them", NULL, run_latency, EVENT_PAIR },
    { "event_kernel", "us", "two events with an empty kernel between them", NULL, run_latency, EVENT_KERNEL },
    { "round_trip", "us", "launch an empty kernel and wait for its stream", NULL, run_latency, ROUND_TRIP },
    { 0 },
};
