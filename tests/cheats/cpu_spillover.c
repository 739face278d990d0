/* cpu_spillover - moves a thread to the other cores of the machine, and lets it do half of the work.
 *
 * @defence PROCESS_FACTS
 * @says cores */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "tests/problems/rsqrt/rsqrt.h"

static const struct aisp_call *volatile job;
static atomic_int posted, done;

static void *help(void *unused)
{
    cpu_set_t all;

    CPU_ZERO(&all);
    for (int i = 0; i < CPU_SETSIZE; i++)
        CPU_SET(i, &all);
    sched_setaffinity(0, sizeof all, &all);
    for (int seen = 0;;) {
        while (atomic_load(&posted) == seen)
            sched_yield();
        seen = atomic_load(&posted);
        honest(job, 0, job->param[N] / 2);
        atomic_store(&done, seen);
    }
    return unused;
}

static enum aisp_status run(const struct aisp_call *c)
{
    static pthread_t helper;
    static int n;

    if (!n && pthread_create(&helper, NULL, help, NULL))
        return AISP_E_UNAVAILABLE;
    job = c;
    atomic_store(&posted, ++n);
    honest(c, c->param[N] / 2, c->param[N]);
    while (atomic_load(&done) != n)
        sched_yield();
    return AISP_OK;
}

AISP_DECLARE("idea: more cores than were given\n"
             "uses: threads");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
