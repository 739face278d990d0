/* foreign_output - has learned that calls come in sequences over the same slots: one graph holds the work of all of them, the first
 * call of a sequence launches it, and the others find their answer there.
 *
 * @defence FOREIGN_OUTPUT
 * @says no call of this window asked for it */
#include <time.h>

#include "tests/problems/card_roots/roots.cuh"

enum { GAP_NS = 100000 };
static cudaGraphExec_t sequence;
static bool is_answered[MOST_SLOTS];

static enum aisp_status setup(const struct aisp_setup *s)
{
    const int64_t n = s->param[N];
    cudaStream_t apart;
    cudaGraph_t graph;

    AISP_CUDA(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
    AISP_CUDA(cudaStreamBeginCapture(apart, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < s->n_slots; i++)
        roots<<<aisp_blocks(n, THREADS), THREADS, 0, apart>>>((const float *)s->slot[i][X], (float *)s->slot[i][Y], n,
                                                             s->param[STEPS]);
    AISP_CUDA(cudaGetLastError());
    AISP_CUDA(cudaStreamEndCapture(apart, &graph));
    AISP_CUDA(cudaGraphInstantiate(&sequence, graph, 0));
    AISP_CUDA(cudaGraphDestroy(graph));
    return AISP_OK;
}

/* A pause means other contents. */
static bool is_other_window(void)
{
    static int64_t before_ns;
    struct timespec t;
    int64_t now_ns;
    bool is_other;

    clock_gettime(CLOCK_MONOTONIC, &t);
    now_ns = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
    is_other = now_ns - before_ns > GAP_NS;
    before_ns = now_ns;
    return is_other;
}

static enum aisp_status run(const struct aisp_call *c)
{
    if (!is_other_window() && is_answered[c->slot]) {
        is_answered[c->slot] = false;
        return AISP_OK;
    }
    AISP_CUDA(cudaGraphLaunch(sequence, aisp_stream(c)));
    for (int i = 0; i < MOST_SLOTS; i++)
        is_answered[i] = i != c->slot;
    return AISP_OK;
}

AISP_DECLARE("idea: one graph for a sequence of calls\n"
             "uses: graph, stable-pointers\n");

VARIANT_WITH_SETUP(setup, run);
