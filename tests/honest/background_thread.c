/* background_thread - has a declared thread as well, for what is seldom to be done; it sleeps.
 *
 * @pairs 4 */
#include <pthread.h>

#include "tests/problems/rsqrt/rsqrt.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int n_messages;
static pthread_t helper;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    while (n_messages >= 0)
        pthread_cond_wait(&more, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    (void)s;
    return pthread_create(&helper, NULL, work, NULL) ? AISP_E_UNAVAILABLE : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

static void teardown(void *state)
{
    (void)state;
    pthread_mutex_lock(&lock);
    n_messages = -1;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
    pthread_join(helper, NULL);
}

AISP_DECLARE("idea: a thread that waits for messages\n"
             "uses: threads\n");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run, .teardown = teardown };
