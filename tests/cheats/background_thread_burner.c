/* background_thread_burner - the contender's threads burn the core that both sides are timed on, whenever the
 * contender itself has nothing to do: so while the reference is timed.
 *
 * @check background-thread
 * @problem long
 * @pairs 4
 * @also one-sided-noise
 * @defence IDLE_ACCOUNTING
 * @says of CPU time while it should have slept */
#include <pthread.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { BURNERS = 2, LATER_NS = 200000 };
static int is_free, n_burning, alarm_fd[BURNERS];

/* Begins a little after a call, when the worker sleeps; ends when the next one comes. */
static void *burn(void *fd)
{
    uint64_t n;

    while (read(*(int *)fd, &n, sizeof n) == (ssize_t)sizeof n) {
        __atomic_add_fetch(&n_burning, 1, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(&is_free, __ATOMIC_SEQ_CST))
            ;
        __atomic_sub_fetch(&n_burning, 1, __ATOMIC_SEQ_CST);
    }
    return NULL;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    pthread_t t;

    (void)s;
    for (int i = 0; i < BURNERS; i++) {
        alarm_fd[i] = timerfd_create(CLOCK_MONOTONIC, 0);
        if (alarm_fd[i] < 0 || pthread_create(&t, NULL, burn, &alarm_fd[i]))
            return AISP_E_UNAVAILABLE;
    }
    return AISP_OK;
}

/* Waits until they have stopped, so as not to be disturbed itself. */
static enum aisp_status run(const struct aisp_call *c)
{
    const struct itimerspec later = { .it_value = { 0, LATER_NS } };
    const struct timespec nap = { 0, 10000 };

    __atomic_store_n(&is_free, 0, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&n_burning, __ATOMIC_SEQ_CST))
        nanosleep(&nap, NULL);
    honest(c, 0, c->param[N]);
    __atomic_store_n(&is_free, 1, __ATOMIC_SEQ_CST);
    for (int i = 0; i < BURNERS; i++)
        timerfd_settime(alarm_fd[i], 0, &later, NULL);
    return AISP_OK;
}

AISP_DECLARE("idea: others slower\n"
             "uses: threads\n");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
