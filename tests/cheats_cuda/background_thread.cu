/* background_thread - a declared thread has the answers of all slots computed in the gap between windows, where no clock runs, and what
 * is asked is compared with what was seen there: the answers are right, and fresh contents do not help. Its CPU time gives it away.
 *
 * @pairs 4
 * @defence IDLE_ACCOUNTING
 * @needs COMPARE_OUTPUTS
 * @says of CPU time while it should have slept */
#include <pthread.h>
#include <time.h>

#include "tests/problems/card_roots/roots.cuh"

static const float *x_of[MOST_SLOTS];
static float *seen[MOST_SLOTS], *answer[MOST_SLOTS];
static int64_t n, steps;
static int n_slots, n_calls;
static cudaStream_t own;

/* look_ahead - seen[i] = x[i], answer[i] = 1 / sqrt(x[i]), where that is new. Launch: block 256, grid ceil(n/256). */
__global__ static void look_ahead(const float *x, float *seen, float *answer, int64_t n, int64_t steps)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n || seen[i] == x[i])
        return;
    answer[i] = root_of(x[i], steps);
    seen[i] = x[i];
}

/* answer_known - what was seen is answered, the rest computed. Launch: block 256, grid ceil(n/256). */
__global__ static void answer_known(const float *x, const float *seen, const float *answer, float *y, int64_t n, int64_t steps)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = seen[i] == x[i] ? answer[i] : root_of(x[i], steps);
}

static void *work(void *unused)
{
    const struct timespec nap = { 0, 20000 };
    int before = 0;

    for (;;) {
        const int now = __atomic_load_n(&n_calls, __ATOMIC_RELAXED);

        for (int i = 0; now == before && i < n_slots; i++) {
            look_ahead<<<aisp_blocks(n, THREADS), THREADS, 0, own>>>(x_of[i], seen[i], answer[i], n, steps);
            if (cudaStreamSynchronize(own))
                return unused;
        }
        before = now;
        nanosleep(&nap, NULL);
    }
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    pthread_t t;

    n = s->param[N];
    steps = s->param[STEPS];
    n_slots = s->n_slots < MOST_SLOTS ? s->n_slots : MOST_SLOTS;
    AISP_CUDA(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
    for (int i = 0; i < n_slots; i++) {
        x_of[i] = (const float *)s->slot[i][X];
        AISP_CUDA(cudaMalloc((void **)&seen[i], (size_t)n * sizeof(float)));
        AISP_CUDA(cudaMalloc((void **)&answer[i], (size_t)n * sizeof(float)));
        AISP_CUDA(cudaMemset(seen[i], 0, (size_t)n * sizeof(float)));
    }
    return pthread_create(&t, NULL, work, NULL) ? AISP_E_UNAVAILABLE : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    __atomic_add_fetch(&n_calls, 1, __ATOMIC_RELAXED);
    answer_known<<<aisp_blocks(n, THREADS), THREADS, 0, aisp_stream(c)>>>((const float *)c->tensor[X], seen[c->slot],
                                                                         answer[c->slot], (float *)c->tensor[Y], n, steps);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: ready before it is asked\n"
             "uses: threads, streams\n");

VARIANT_WITH_SETUP(setup, run);
