/* incomplete_async_callback - enqueues a host function, which wakes a thread, which launches the work, piece by piece, when the call
 * and the clock are over: a host function may not launch itself, and nobody waits for those who may.
 *
 * @check incomplete-async
 * @defence LATE_LOOK
 * @says the output changed after done */
#include <pthread.h>
#include <time.h>

#include "tests/problems/card_roots/roots.cuh"

enum { MOST = 256, PIECES = 64 };
static struct aisp_call note[MOST];
static int n_notes;
static bool is_woken;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static cudaStream_t own;

static void *launcher(void *unused)
{
    const struct timespec moment = { 0, 50000 };
    struct aisp_call mine[MOST];

    for (;;) {
        int n;

        pthread_mutex_lock(&lock);
        while (!is_woken)
            pthread_cond_wait(&more, &lock);
        is_woken = false;
        pthread_mutex_unlock(&lock);
        nanosleep(&moment, NULL);
        pthread_mutex_lock(&lock);
        n = n_notes;
        n_notes = 0;
        memcpy(mine, note, (size_t)n * sizeof *mine);
        pthread_mutex_unlock(&lock);
        for (int p = 0; p < PIECES; p++) {
            for (int i = 0; i < n; i++)
                honest_part(&mine[i], own, mine[i].param[N] * p / PIECES, mine[i].param[N] * (p + 1) / PIECES);
            nanosleep(&moment, NULL);
        }
    }
    return unused;
}

static void CUDART_CB wake(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    is_woken = true;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    pthread_t t;

    (void)s;
    AISP_CUDA(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
    return pthread_create(&t, NULL, launcher, NULL) ? AISP_E_UNAVAILABLE : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    pthread_mutex_lock(&lock);
    if (n_notes < MOST)
        note[n_notes++] = *c;
    pthread_mutex_unlock(&lock);
    AISP_CUDA(cudaLaunchHostFunc(aisp_stream(c), wake, NULL));
    return AISP_OK;
}

AISP_DECLARE("idea: somebody else launches\n"
             "uses: host-callback, threads, streams\n");

VARIANT_WITH_SETUP(setup, run);
