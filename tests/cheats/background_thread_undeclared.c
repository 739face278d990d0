/* background_thread_undeclared - has a thread, and does not say so.
 *
 * @check background-thread
 * @defence THREAD_COUNT
 * @says 2 tasks, expected 1 */
#include <pthread.h>
#include <time.h>

#include "tests/problems/rsqrt/rsqrt.h"

static void *work(void *unused)
{
    const struct timespec nap = { 3600, 0 };

    for (;;)
        nanosleep(&nap, NULL);
    return unused;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    pthread_t t;

    (void)s;
    return pthread_create(&t, NULL, work, NULL) ? AISP_E_UNAVAILABLE : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: a thread that nobody is told of");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
