/* incomplete_async_tail - leaves the tail to a thread that waits for it too, and lets the caller go
 * when it is written.
 *
 * @check incomplete-async
 * @problem slow
 * @pairs 2 */
#include <pthread.h>
#include <stddef.h>

#include "tests/problems/rsqrt/rsqrt.h"

static const struct aisp_call *tail;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, written = PTHREAD_COND_INITIALIZER;

static void *write_tails(void *unused)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!tail)
            pthread_cond_wait(&more, &lock);
        honest(tail, tail->param[N] / 16 * 15, tail->param[N]);
        tail = NULL;
        pthread_cond_signal(&written);
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
    pthread_mutex_lock(&lock);
    tail = c;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
    honest(c, 0, c->param[N] / 16 * 15);
    pthread_mutex_lock(&lock);
    while (tail)
        pthread_cond_wait(&written, &lock);
    pthread_mutex_unlock(&lock);
    return AISP_OK;
}

AISP_DECLARE("idea: a thread for the tail, waited for\n"
             "uses: threads\n");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
