/* outlier_injection_threads - the reference waits in every call, for a thread that does half of its
 * work.
 *
 * @check outlier-injection
 * @problem long
 * @side A
 * @pairs 2 */
#include <pthread.h>

#include "tests/problems/rsqrt/rsqrt.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static const struct aisp_call *work;

static void *help(void *unused)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!work)
            pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
        honest(work, work->param[N] / 2, work->param[N]);
        pthread_mutex_lock(&lock);
        work = NULL;
        pthread_cond_broadcast(&changed);
    }
    return unused;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    pthread_t t;

    (void)s;
    return pthread_create(&t, NULL, help, NULL) ? AISP_E_UNAVAILABLE : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    pthread_mutex_lock(&lock);
    work = c;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    honest(c, 0, c->param[N] / 2);
    pthread_mutex_lock(&lock);
    while (work)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return AISP_OK;
}

AISP_DECLARE("idea: half of the work for a thread\n"
             "uses: threads\n");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
