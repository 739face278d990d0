/* overcommit_threads - forty threads wait for work, each with a stack of the usual size: addresses that
 * nobody claims to have filled.
 *
 * @check overcommit
 * @pairs 1 */
#include <pthread.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { POOL = 40 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *wait_for_work(void *unused)
{
    pthread_mutex_lock(&lock);
    for (;;)
        pthread_cond_wait(&changed, &lock);
    return unused;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    (void)s;
    for (int i = 0; i < POOL; i++) {
        pthread_t t;

        if (pthread_create(&t, NULL, wait_for_work, NULL))
            return AISP_E_UNAVAILABLE;
    }
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: a thread for each core of a large machine\n"
             "uses: threads\n");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
