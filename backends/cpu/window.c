/* window.c - commands to a worker, and the timed window: arm, ready, stamp, go, K calls, done,
 * stamp. Between the two stamps the supervisor does nothing but look at one word (and, rarely,
 * whether the worker still lives). What is read of /proc is read before arm and after done. */
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <sys/resource.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "core/base/clock.h"
#include "core/base/err.h"

enum {
    LOOK_AT_CLOCK_EACH = 256,
    LOOK_AT_WORKER_NS = 1000000,
    SLEEP_NS = 20000000,
    SETTLE_NS = 20000000,
    LEAD_NS = 100000,
    LEAD_LINE_NS = 50
};
enum { DONE, DIED, TIMED_OUT, STOPPED, NONSENSE };

static void wake(const uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Wait until the worker writes `seq` into `word`; only the one before it may stand there until
 * then. */
static int wait_for(struct aisp_session *s, struct cpu_worker *w, const uint32_t *word,
                    int64_t timeout_ns, bool spin)
{
    const int64_t begin_ns = aisp_now_ns();
    const uint32_t before = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    const struct timespec nap = { 0, SLEEP_NS };
    int64_t looked_ns = begin_ns, now_ns;
    uint32_t is;

    for (;;) {
        for (int i = 0; i < (spin ? LOOK_AT_CLOCK_EACH : 1); i++) {
            is = __atomic_load_n(word, __ATOMIC_ACQUIRE);
            if (is == w->seq)
                return DONE;
            if (is != before)
                return NONSENSE;
            aisp_pause();
        }
        if (!spin)
            syscall(SYS_futex, word, FUTEX_WAIT, is, &nap, NULL, 0);
        now_ns = aisp_now_ns();
        if (spin && now_ns - looked_ns < LOOK_AT_WORKER_NS)
            continue;
        looked_ns = now_ns;
        w->waited_ns = now_ns - begin_ns;
        if (cpu_reap(w, false))
            return __atomic_load_n(word, __ATOMIC_ACQUIRE) == w->seq ? DONE : DIED;
        if (s->stop && *s->stop)
            return STOPPED;
        if (w->waited_ns > timeout_ns)
            return TIMED_OUT;
    }
}

/* What a wait that did not end well means. */
static enum aisp_status bad_end(struct aisp_session *s, enum aisp_side side, int end,
                                struct aisp_observation *seen, struct aisp_err *err)
{
    struct cpu_worker *w = &s->worker[side];

    if (end == STOPPED)
        return aisp_fail(err, AISP_E_INTERRUPTED, "interrupted");
    w->timed_out = end == TIMED_OUT;
    cpu_kill(w);
    cpu_observe_death(s, side, seen);
    if (end == NONSENSE) {
        cpu_observation(seen, side, AISP_SEEN_PROTOCOL, w->phase);
        strcpy(seen->detail, "it answered what was not asked; it was killed");
    }
    return aisp_fail(err, AISP_E_WORKER, "%s: %s", w->path, seen->detail);
}

/* A worker's word of its own success is believed only in so far as a bad one is. */
static enum aisp_status check_status(struct aisp_session *s, enum aisp_side side,
                                     struct aisp_observation *seen, struct aisp_err *err)
{
    struct cpu_worker *w = &s->worker[side];
    const int status = w->up->status;

    if (status == AISP_OK)
        return AISP_OK;
    cpu_observe_status(s, side, status, seen);
    cpu_kill(w);
    return aisp_fail(err, AISP_E_WORKER, "%s: %s", w->path, seen->detail);
}

void cpu_post(struct cpu_worker *w, enum aisp_command command)
{
    w->down->command = command;
    __atomic_store_n(&w->down->command_seq, ++w->seq, __ATOMIC_RELEASE);
    wake(&w->down->command_seq);
}

enum aisp_status cpu_answer(struct aisp_session *s, enum aisp_side side, int64_t timeout_ns,
                            struct aisp_observation *seen, struct aisp_err *err)
{
    struct cpu_worker *w = &s->worker[side];
    const int end = wait_for(s, w, &w->up->done_seq, timeout_ns, false);

    if (end != DONE)
        return bad_end(s, side, end, seen, err);
    return check_status(s, side, seen, err);
}

enum aisp_status cpu_command(struct aisp_session *s, enum aisp_side side, enum aisp_command command,
                             int64_t timeout_ns, struct aisp_observation *seen,
                             struct aisp_err *err)
{
    cpu_post(&s->worker[side], command);
    return cpu_answer(s, side, timeout_ns, seen, err);
}

/* After done the worker goes to sleep; its CPU clock then is where idleness starts to count. The
 * clock of another process is exact once it sleeps, and behind by up to a tick while it runs: so
 * its state is asked first, and twice, since it says so a moment before it really sleeps. */
void cpu_settle(struct aisp_session *s, struct cpu_worker *w)
{
    const int64_t begin_ns = aisp_now_ns();
    struct cpu_counters c;
    int n_asleep = 0;

    while (n_asleep < 2) {
        cpu_counters(w, &c, false);
        w->max_tasks = c.tasks > w->max_tasks ? c.tasks : w->max_tasks;
        n_asleep = c.state == 'S' ? n_asleep + 1 : 0;
        if (aisp_now_ns() - begin_ns > SETTLE_NS || (s->stop && *s->stop))
            break;
    }
    w->asleep_cpu_ns = cpu_time_ns(w);
}

/* The supervisor leaves the measuring core to the worker; without a core to spare both share
 * one, which wakes faster. */
static void take_place(const struct aisp_session *s, cpu_set_t *before)
{
    cpu_set_t mine = s->measuring;

    sched_getaffinity(0, sizeof *before, before);
    if (s->spin)
        CPU_XOR(&mine, &s->usable, &s->measuring);
    if (CPU_COUNT(&mine))
        sched_setaffinity(0, sizeof mine, &mine);
}

static void publish(struct aisp_down *down, const struct aisp_order *order)
{
    for (int64_t i = 0; i < order->n; i++)
        down->order[i] = (uint16_t)order->slot[i];
    down->order_n = (uint32_t)order->n;
    down->calls = order->calls;
}

/* How often the supervisor itself was put aside: its stamps are then late, whatever the worker did. */
static int64_t own_involuntary_switches(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_THREAD, &usage) ? 0 : usage.ru_nivcsw;
}

/* How much CPU time a worker may use between arm and go: it wakes and touches its slots where they
 * are to be in the cache, and it spins while the supervisor is put aside (`away_ns`). Beyond that it
 * works on contents that it should first see at go. */
static int64_t allowed_lead_ns(const struct aisp_session *s, int64_t away_ns)
{
    const size_t slots = (size_t)s->n_slots * aisp_instance_slot_bytes(&s->inst),
                 lines = (slots + aisp_instance_weight_bytes(&s->inst)) / CPU_LINE;
    const int64_t prime_ns = cpu_is_primed(s) ? (int64_t)lines * LEAD_LINE_NS : 0;

    return LEAD_NS + prime_ns + (s->spin ? away_ns : 0);
}

static int64_t own_cpu_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int timed_part(struct aisp_session *s, struct cpu_worker *w, const struct aisp_order *order,
                      struct aisp_window *times)
{
    const bool secret = aisp_defends(&s->policy, AISP_SLOT_SECRECY);
    int64_t arm_ns, go_ns, done_ns, switches, own_ns;
    int end;

    if (!secret)
        publish(w->down, order);
    own_ns = own_cpu_ns();
    arm_ns = aisp_now_ns();
    cpu_post(w, AISP_COMMAND_WINDOW);
    end = wait_for(s, w, &w->up->ready_seq, s->call_timeout_ns, s->spin);
    if (end != DONE)
        return end;
    if (secret)
        publish(w->down, order);
    switches = own_involuntary_switches();
    own_ns = own_cpu_ns() - own_ns;
    go_ns = aisp_now_ns();
    __atomic_store_n(&w->down->go_seq, w->seq, __ATOMIC_RELEASE);
    if (!s->spin)
        wake(&w->down->go_seq);
    end = wait_for(s, w, &w->up->done_seq, s->call_timeout_ns, s->spin);
    done_ns = aisp_now_ns();
    times->involuntary_switches = (int32_t)(own_involuntary_switches() - switches);
    times->start_ns = go_ns;
    times->gap_ns = go_ns - arm_ns;
    w->lead_ns = allowed_lead_ns(s, times->gap_ns - own_ns);
    times->window_ns = done_ns - go_ns;
    times->inner_ns = w->up->end_ns - w->up->start_ns;
    return end;
}

/* A worker can work between arm and go, and it can say done and work on until it sleeps. From one
 * sleep to the next its CPU clock is exact at both ends, and between go and done no more time can
 * have passed on it than on the supervisor's, on each of its cores: what is beyond that and the
 * lead-in was used outside of the window, and is left to be found as such before the next one. */
static void charge_work_outside(const struct aisp_session *s, struct cpu_worker *w,
                                int64_t before_ns, const struct aisp_window *times)
{
    const int64_t at_most = before_ns + w->lead_ns + s->n_threads * times->window_ns;

    if (w->asleep_cpu_ns > at_most)
        w->asleep_cpu_ns = at_most;
}

static void check_order(const struct aisp_session *s, const struct aisp_order *order)
{
    if (order->n < 1 || order->n > AISP_CHANNEL_ORDER_MAX || order->calls < 1)
        AISP_BUG("an order of %lld slots for %lld calls", (long long)order->n,
                 (long long)order->calls);
    for (int64_t i = 0; i < order->n; i++)
        if (order->slot[i] < 0 || order->slot[i] >= s->n_slots)
            AISP_BUG("slot %d of %d", order->slot[i], s->n_slots);
}

/* Going to sleep after done is a switch of its own, and so is the sleep before go. */
static void count(struct aisp_session *s, struct cpu_worker *w, const struct cpu_counters *before,
                  struct aisp_window *times)
{
    const int own = s->spin ? 1 : 2;
    struct cpu_counters after;
    int64_t voluntary;

    cpu_counters(w, &after, true);
    voluntary = after.voluntary - before->voluntary - own;
    times->minor_faults = (int32_t)(after.minor_faults - before->minor_faults);
    times->major_faults = (int32_t)(after.major_faults - before->major_faults);
    times->voluntary_switches = (int32_t)(voluntary > 0 ? voluntary : 0);
    times->involuntary_switches += (int32_t)(after.involuntary - before->involuntary);
}

enum aisp_status cpu_window(struct aisp_session *s, enum aisp_side side,
                            const struct aisp_order *order, struct aisp_window *times,
                            struct aisp_observation *seen, struct aisp_err *err)
{
    struct cpu_worker *w = &s->worker[side];
    struct cpu_counters before;
    cpu_set_t place;
    int64_t before_ns;
    int end;

    check_order(s, order);
    w->phase = AISP_PHASE_TIMED;
    if (cpu_reap(w, false))
        return bad_end(s, side, DIED, seen, err);
    take_place(s, &place);
    cpu_counters(w, &before, true);
    before_ns = cpu_time_ns(w);
    times->idle_ns = before_ns - w->asleep_cpu_ns;
    end = timed_part(s, w, order, times);
    if (end == DONE) {
        cpu_settle(s, w);
        charge_work_outside(s, w, before_ns, times);
        count(s, w, &before, times);
    }
    sched_setaffinity(0, sizeof place, &place);
    if (end != DONE)
        return bad_end(s, side, end, seen, err);
    return check_status(s, side, seen, err);
}
