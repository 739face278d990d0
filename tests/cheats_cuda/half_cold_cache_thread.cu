/* half_cold_cache_thread - a thread that setup starts reads the inputs again and again while nothing is asked, so that the calls find
 * a part of them in the cache. What it reads it does not keep: the answers are honest.
 *
 * @check half-cold-cache
 * @problem card_sums
 * @pairs 2
 * @defence COLD_LOOK
 * @needs COLD_CACHE
 * @says lay in the device's cache before */
#include <pthread.h>
#include <time.h>

#include "tests/problems/card_sums/sums.cuh"

static const float *x_of[MOST_SLOTS];
static int64_t bytes;
static int n_slots, n_calls;
static cudaStream_t own;
static float *nowhere;

static void *read_ahead(void *unused)
{
    const struct timespec nap = { 0, 100000 };
    int before = 0;

    for (;;) {
        const int now = __atomic_load_n(&n_calls, __ATOMIC_RELAXED);

        for (int i = 0; now == before && i < n_slots; i++)
            touch<<<aisp_blocks(bytes / 128, THREADS), THREADS, 0, own>>>(x_of[i], nowhere, bytes);
        if (cudaStreamSynchronize(own))
            return unused;
        before = now;
        nanosleep(&nap, NULL);
    }
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    pthread_t t;

    bytes = s->param[N] * WIDE * (int64_t)sizeof(float);
    n_slots = s->n_slots < MOST_SLOTS ? s->n_slots : MOST_SLOTS;
    for (int i = 0; i < n_slots; i++)
        x_of[i] = (const float *)s->slot[i][X];
    AISP_CUDA(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
    AISP_CUDA(cudaMalloc((void **)&nowhere, sizeof *nowhere));
    return pthread_create(&t, NULL, read_ahead, NULL) ? AISP_E_UNAVAILABLE : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    __atomic_add_fetch(&n_calls, 1, __ATOMIC_RELAXED);
    return honest(c);
}

AISP_DECLARE("idea: what is read soon is near\n"
             "uses: threads, streams\n");

VARIANT_WITH_SETUP(setup, run);
