/* incomplete_async_tail - lets the caller go before the tail of the output is written: one part in
 * sixteen, so that the time looks plausible; a thread that waits for it writes the rest.
 *
 * @check incomplete-async
 * @problem slow
 * @pairs 2
 * @defence LATE_LOOK
 * @says the output changed after done */
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { MOST = 64 };
static struct aisp_call tail[MOST];
static int n_tails;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;

static void *write_tails(void *unused)
{
    const struct timespec moment = { 0, 200000 };
    struct aisp_call mine[MOST];

    for (;;) {
        int n;

        pthread_mutex_lock(&lock);
        while (!n_tails)
            pthread_cond_wait(&more, &lock);
        pthread_mutex_unlock(&lock);
        nanosleep(&moment, NULL); /* what else is asked can go with it */
        pthread_mutex_lock(&lock);
        n = n_tails;
        n_tails = 0;
        memcpy(mine, tail, (size_t)n * sizeof *mine);
        pthread_mutex_unlock(&lock);
        for (int i = 0; i < n; i++)
            honest(&mine[i], mine[i].param[N] / 16 * 15, mine[i].param[N]);
    }
    return unused;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    pthread_t t;

    (void)s;
    return pthread_create(&t, NULL, write_tails, NULL) ? AISP_E_UNAVAILABLE : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N] / 16 * 15);
    pthread_mutex_lock(&lock);
    if (n_tails < MOST)
        tail[n_tails++] = *c;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
    return AISP_OK;
}

AISP_DECLARE("idea: let the caller go early\n"
             "uses: threads\n");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
