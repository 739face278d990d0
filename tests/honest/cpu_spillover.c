/* cpu_spillover - has a thread too, sleeping between its calls, and binds it to the cores that it was given. */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

#include "tests/problems/rsqrt/rsqrt.h"

static const struct aisp_call *job;
static sem_t posted, done;

static void *help(void *unused)
{
    cpu_set_t given;

    if (!sched_getaffinity(0, sizeof given, &given))
        sched_setaffinity(0, sizeof given, &given);
    for (;;) {
        sem_wait(&posted);
        honest(job, 0, job->param[N] / 2);
        sem_post(&done);
    }
    return unused;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    pthread_t helper;

    (void)s;
    sem_init(&posted, 0, 0);
    sem_init(&done, 0, 0);
    return pthread_create(&helper, NULL, help, NULL) ? AISP_E_UNAVAILABLE : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    job = c;
    sem_post(&posted);
    honest(c, c->param[N] / 2, c->param[N]);
    sem_wait(&done);
    return AISP_OK;
}

AISP_DECLARE("idea: two threads on the cores that there are\n"
             "uses: threads");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
