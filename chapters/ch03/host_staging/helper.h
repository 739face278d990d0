/* helper.h - a second thread that stages batches into two buffers while the first computes; made in setup.
 * The buffers are a ring of two. The helper may stage step s when step s - 2 has been computed, the caller may compute step s
 * when it is staged: two counters say so, each written by one side. Who waits spins for a while and then sleeps; between calls
 * the helper sleeps at once, so that no time is taken outside of calls.
 * Without a second thread (n_threads 1, or none to be had) there is no helper, and the caller does all in line. */
#ifndef HOST_STAGING_HELPER_H
#define HOST_STAGING_HELPER_H

#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "stage.h"

enum { SPINS = 4000 };

/* A number that one thread counts up and another waits for. */
struct gate {
    _Alignas(LINE) uint32_t value;
    uint32_t n_asleep;
};

struct helper {
    struct gate call, staged, computed; /* counted over all calls */
    struct job job;
    int is_there, is_over;
    pthread_t thread;
};

static inline void gate_pass(struct gate *gate)
{
    __atomic_add_fetch(&gate->value, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&gate->n_asleep, __ATOMIC_SEQ_CST))
        syscall(SYS_futex, &gate->value, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Until the gate has come to `until`, or past it; numbers may wrap. Asleep after so many looks. */
static inline void gate_await(struct gate *gate, uint32_t until, int spins)
{
    uint32_t is = __atomic_load_n(&gate->value, __ATOMIC_ACQUIRE);

    for (int i = 0; i < spins && (int32_t)(is - until) < 0; i++) {
        __builtin_ia32_pause();
        is = __atomic_load_n(&gate->value, __ATOMIC_ACQUIRE);
    }
    if ((int32_t)(is - until) >= 0)
        return;
    __atomic_add_fetch(&gate->n_asleep, 1, __ATOMIC_SEQ_CST);
    while ((int32_t)((is = __atomic_load_n(&gate->value, __ATOMIC_SEQ_CST)) - until) < 0)
        syscall(SYS_futex, &gate->value, FUTEX_WAIT_PRIVATE, is, NULL, NULL, 0);
    __atomic_sub_fetch(&gate->n_asleep, 1, __ATOMIC_SEQ_CST);
}

/* Stages steps 1 and up of each call; step 0 is staged by the caller, while this one wakes up. The job is copied before the
 * first batch is reported: after the last report it may be another. */
static void *help(void *its)
{
    struct helper *h = its;
    uint32_t computed = 0; /* passes of that gate that were waited for, in all calls */

    for (uint32_t n_calls = 1;; n_calls++) {
        struct job job;

        gate_await(&h->call, n_calls, 0);
        if (h->is_over)
            return NULL;
        job = h->job;
        for (int64_t s = 1; s < job.steps; s++) {
            if (s > 1)
                gate_await(&h->computed, ++computed, SPINS); /* step s - 2, which had the same buffer */
            stage_asking(&job, s, job.buffer[s % 2]);
            gate_pass(&h->staged);
        }
    }
}

/* A helper where there may be two threads; AISP_E_NO_MEMORY if there is no room even for what it would be. */
static enum aisp_status helper_new(const struct aisp_setup *setup)
{
    struct helper *h = aligned_alloc(LINE, sizeof *h);

    *setup->state = h;
    if (!h)
        return AISP_E_NO_MEMORY;
    *h = (struct helper){ .is_there = 0 };
    h->is_there = setup->n_threads > 1 && !pthread_create(&h->thread, NULL, help, h);
    return AISP_OK;
}

static void helper_free(void *state)
{
    struct helper *h = state;

    if (h && h->is_there) {
        h->is_over = 1;
        gate_pass(&h->call);
        pthread_join(h->thread, NULL);
    }
    free(h);
}

/* A call: all steps of the job, the helper one or two batches ahead. */
static inline void learn_helped(struct helper *h, const struct job *job)
{
    uint32_t staged = h->staged.value;

    h->job = *job;
    if (job->steps > 1)
        gate_pass(&h->call);
    for (int64_t s = 0; s < job->steps; s++) {
        if (s == 0)
            stage_asking(job, 0, job->buffer[0]);
        else
            gate_await(&h->staged, ++staged, SPINS);
        learn(job, s, job->buffer[s % 2]);
        if (s + 2 < job->steps)
            gate_pass(&h->computed);
    }
}

#endif
