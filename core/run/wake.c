/* wake.c - a thread that sleeps on a futex and stamps when it runs again. */
#include "core/run/wake.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/sort.h"
#include "core/stats/stats.h"

enum { ROUNDS = 300 };
/* Long enough for the sleeper to have left its core. */
static const struct timespec pause_time = { 0, 200000 };

struct sleeper {
    _Atomic uint32_t round; /* the futex */
    _Atomic uint32_t answered;
    _Atomic int64_t woken_ns;
};

static void *sleeper_main(void *context)
{
    struct sleeper *s = context;

    for (uint32_t round = 0; round < ROUNDS; round++) {
        while (atomic_load(&s->round) == round)
            syscall(SYS_futex, &s->round, FUTEX_WAIT_PRIVATE, round, NULL, NULL, 0);
        atomic_store(&s->woken_ns, aisp_now_ns());
        atomic_store(&s->answered, round + 1);
    }
    return NULL;
}

enum aisp_status aisp_wake_latency(double ns[3], struct aisp_err *err)
{
    static const double p[3] = { 0.50, 0.95, 0.99 };
    struct sleeper s = { 0 };
    double x[ROUNDS];
    pthread_t thread;

    if (pthread_create(&thread, NULL, sleeper_main, &s))
        return aisp_fail(err, AISP_E_UNAVAILABLE, "no thread to measure waking with");
    for (uint32_t round = 0; round < ROUNDS; round++) {
        int64_t start;

        nanosleep(&pause_time, NULL);
        start = aisp_now_ns();
        atomic_store(&s.round, round + 1);
        syscall(SYS_futex, &s.round, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
        while (atomic_load(&s.answered) != round + 1)
            nanosleep(&(struct timespec){ 0, 20000 }, NULL);
        x[round] = (double)(atomic_load(&s.woken_ns) - start);
    }
    pthread_join(thread, NULL);
    aisp_sort(x, ROUNDS);
    for (int i = 0; i < 3; i++)
        ns[i] = aisp_quantile_sorted(x, ROUNDS, p[i]);
    return AISP_OK;
}
