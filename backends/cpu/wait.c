/* wait.c - wait for the workers of a side, whichever answers or dies first. One that waits for another that has died would
 * never answer, so while any is waited for all are looked at; and of those that are late, one that is not asleep is blamed,
 * for the others may be waiting for it. */
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "core/base/clock.h"

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif

enum { LOOK_AT_CLOCK_EACH = 64, LOOK_AT_WORKER_NS = 1000000, SLEEP_NS = 20000000 };
enum { SIZE_U32 = 2 };

/* As the kernel declares it; older headers do not. */
struct waitv {
    uint64_t value, address;
    uint32_t flags, reserved;
};

static const uint32_t *word_of(const struct cpu_worker *w, const struct cpu_wait *a)
{
    switch (a->word) {
    case CPU_WORD_READY:
        return &w->up->ready_seq;
    case CPU_WORD_AWAKE:
        return &w->up->awake_seq;
    case CPU_WORD_END:
        return &w->up->end_seq;
    case CPU_WORD_DONE:
        break;
    }
    return &w->up->done_seq;
}

/* A stream whose calls failed, or whose worker says what it likes, may never write its end: done is the end of it then. */
static bool is_done_without_end(const struct cpu_worker *w, const struct cpu_wait *a)
{
    return a->word == CPU_WORD_END && __atomic_load_n(&w->up->done_seq, __ATOMIC_ACQUIRE) == w->seq;
}

/* How many have not answered; 0 also where one has answered that it failed: the others may wait for it in vain. -1: one answered
 * what was not asked. */
static int look(struct aisp_session *s, struct cpu_wait *a)
{
    int n = 0;

    for (int r = 0; r < s->n_ranks; r++) {
        struct cpu_worker *w = &s->worker[a->side][r];
        uint32_t is;

        if (w->is_done)
            continue;
        is = __atomic_load_n(word_of(w, a), __ATOMIC_ACQUIRE);
        if (is == w->seq || is_done_without_end(w, a)) {
            w->is_done = true;
            w->done_ns = aisp_now_ns();
            if (a->word == CPU_WORD_READY)
                w->unready_ns = a->before_ns;
            if (a->word == CPU_WORD_DONE && w->up->status != AISP_OK)
                return 0;
        } else if (is != w->word_before) {
            a->culprit = w;
            return -1;
        } else {
            n++;
        }
    }
    return n;
}

/* Until any of them writes. Where the kernel cannot wait for several words it is the first that is waited for: the others'
 * stamps then come late, the last one's does not. */
static void sleep_on(struct aisp_session *s, const struct cpu_wait *a)
{
    const struct timespec nap = { 0, a->nap_ns };
    struct waitv v[AISP_MAX_RANKS];
    struct timespec until;
    unsigned n = 0;

    for (int r = 0; r < s->n_ranks; r++) {
        const struct cpu_worker *w = &s->worker[a->side][r];

        if (!w->is_done)
            v[n++] = (struct waitv){ .value = w->word_before,
                                     .address = (uint64_t)word_of(w, a),
                                     .flags = SIZE_U32 };
    }
    if (n > 1) {
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += SLEEP_NS;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            until.tv_sec++;
        }
        if (syscall(SYS_futex_waitv, v, n, 0, &until, CLOCK_MONOTONIC) >= 0 || errno != ENOSYS)
            return;
    }
    syscall(SYS_futex, v[0].address, FUTEX_WAIT, (uint32_t)v[0].value, &nap, NULL, 0);
}

/* Has one of them died without an answer? */
static bool has_died(struct aisp_session *s, struct cpu_wait *a)
{
    for (int r = 0; r < s->n_ranks; r++) {
        struct cpu_worker *w = &s->worker[a->side][r];

        if (cpu_reap(w, false) && __atomic_load_n(word_of(w, a), __ATOMIC_ACQUIRE) != w->seq) {
            a->culprit = w;
            return true;
        }
    }
    return false;
}

int cpu_most_tasks(const struct aisp_session *s, const struct cpu_worker *w)
{
    return w->own_tasks + CPU_MOST_TASKS + s->n_threads;
}

/* What comes and goes while it is set up is counted for nothing else: who undeclared has more than one is looked at when it sleeps. */
static bool is_crowd(struct aisp_session *s, struct cpu_wait *a)
{
    struct cpu_counters c;

    for (int r = 0; r < s->n_ranks && a->is_command; r++) {
        struct cpu_worker *w = &s->worker[a->side][r];

        cpu_counters(w, &c, false);
        if (c.tasks > cpu_most_tasks(s, w)) {
            w->max_tasks = c.tasks > w->max_tasks ? c.tasks : w->max_tasks;
            a->culprit = w;
            return true;
        }
    }
    return false;
}

static void blame_late(struct aisp_session *s, struct cpu_wait *a)
{
    struct cpu_worker *asleep = NULL;
    struct cpu_counters c;

    for (int r = 0; r < s->n_ranks; r++) {
        struct cpu_worker *w = &s->worker[a->side][r];

        if (w->is_done)
            continue;
        cpu_counters(w, &c, false);
        if (c.state != 'S') {
            a->culprit = w;
            return;
        }
        asleep = asleep ? asleep : w;
    }
    a->culprit = asleep;
}

/* False: one of them answered before it was asked, or was done before go. */
static bool begin(struct aisp_session *s, struct cpu_wait *a)
{
    a->culprit = &s->worker[a->side][0];
    for (int r = 0; r < s->n_ranks; r++) {
        struct cpu_worker *w = &s->worker[a->side][r];

        w->is_done = false;
        w->word_before = __atomic_load_n(word_of(w, a), __ATOMIC_ACQUIRE);
        if (w->foresaw) {
            a->culprit = w;
            return false;
        }
    }
    return true;
}

/* What core has to do while it waits; it says when it wants to be called again. */
static void tick(struct cpu_wait *a)
{
    int64_t again_ns = SLEEP_NS;

    if (a->order && a->order->tick)
        again_ns = a->order->tick(a->order->context);
    a->nap_ns = again_ns < 1 ? 1 : again_ns < SLEEP_NS ? again_ns : SLEEP_NS;
}

int cpu_wait(struct aisp_session *s, struct cpu_wait *a)
{
    const int64_t begin_ns = aisp_now_ns();
    int64_t looked_ns = begin_ns, batch_ns = a->since_ns ? a->since_ns : begin_ns, now_ns;
    int n;

    if (!begin(s, a))
        return CPU_NONSENSE;
    a->before_ns = batch_ns;
    for (;;) {
        for (int i = 0; i < (a->spin ? LOOK_AT_CLOCK_EACH : 1); i++) {
            tick(a);
            n = look(s, a);
            if (n == 0)
                tick(a); /* what came with done */
            if (n <= 0)
                return n ? CPU_NONSENSE : is_crowd(s, a) ? CPU_CROWD : CPU_DONE;
            aisp_pause();
        }
        if (!a->spin)
            sleep_on(s, a);
        now_ns = aisp_now_ns();
        a->before_ns = batch_ns;
        batch_ns = now_ns;
        if (a->spin && now_ns - looked_ns < LOOK_AT_WORKER_NS)
            continue;
        looked_ns = now_ns;
        for (int r = 0; r < s->n_ranks; r++)
            s->worker[a->side][r].waited_ns = now_ns - begin_ns;
        if (has_died(s, a))
            return CPU_DIED;
        if (is_crowd(s, a))
            return CPU_CROWD;
        if (s->stop && *s->stop)
            return CPU_STOPPED;
        if (now_ns - begin_ns > a->timeout_ns) {
            blame_late(s, a);
            return CPU_TIMED_OUT;
        }
    }
}
