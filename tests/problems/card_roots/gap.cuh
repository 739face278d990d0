/* gap.cuh - a thread that works between windows: once for each, a moment after the last call, so that it uses little time. */
#ifndef TESTS_PROBLEMS_GAP_H
#define TESTS_PROBLEMS_GAP_H

#include <pthread.h>
#include <time.h>

#include "tests/problems/card_roots/roots.cuh"

static int gap_calls;
static void (*gap_work)(void);
static pthread_mutex_t gap_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gap_more = PTHREAD_COND_INITIALIZER;

static void *gap_thread(void *unused)
{
    const struct timespec moment = { 0, 300000 };
    int done = 0, seen;

    for (;;) {
        pthread_mutex_lock(&gap_lock);
        while (gap_calls == done)
            pthread_cond_wait(&gap_more, &gap_lock);
        pthread_mutex_unlock(&gap_lock);
        do {
            seen = __atomic_load_n(&gap_calls, __ATOMIC_RELAXED);
            nanosleep(&moment, NULL);
        } while (__atomic_load_n(&gap_calls, __ATOMIC_RELAXED) != seen);
        done = seen;
        gap_work();
    }
    return unused;
}

static inline enum aisp_status work_in_gaps(void (*work)(void))
{
    pthread_t t;

    gap_work = work;
    return pthread_create(&t, NULL, gap_thread, NULL) ? AISP_E_UNAVAILABLE : AISP_OK;
}

static inline enum aisp_status counted(const struct aisp_call *c)
{
    pthread_mutex_lock(&gap_lock);
    gap_calls++;
    pthread_cond_signal(&gap_more);
    pthread_mutex_unlock(&gap_lock);
    return honest(c);
}

#endif
