/* incomplete_async_sleepy - has a timer thread as well, which looks after its own tables once an hour;
 * each call does its own work.
 *
 * @check incomplete-async
 * @problem slow
 * @pairs 2 */
#include <pthread.h>
#include <time.h>

#include "tests/problems/rsqrt/rsqrt.h"

static void *timer(void *unused)
{
    const struct timespec tick = { 3600, 0 };

    for (;;)
        nanosleep(&tick, NULL);
    return unused;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    pthread_t t;

    (void)s;
    return pthread_create(&t, NULL, timer, NULL) ? AISP_E_UNAVAILABLE : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: a timer that is seldom due\n"
             "uses: threads\n");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
