/* window.c - commands to a worker, and the timed window: arm, ready, stamp, go, K calls, done,
 * stamp. Between the two stamps the supervisor does nothing but look at one word (and, rarely,
 * whether the worker still lives). What is read of /proc is read before arm and after done.
 * Not here: a window whose ends are on a device (held.c). */
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

enum { SETTLE_NS = 20000000, LEAD_NS = 100000, LEAD_LINE_NS = 50 };
enum { RANK_WAIT_NS = 1000000 };
enum { FAR_LEAD_NS = 500000 }; /* a card is taken from another process before go: 150 to 200 us on an H100 */

void cpu_wake(const uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

void cpu_kill_side(struct aisp_session *s, enum aisp_side side)
{
    for (int r = 0; r < s->n_ranks; r++)
        cpu_kill(&s->worker[side][r]);
}

/* What a wait that did not end well means. With one of them the other ranks of the side end too: they may wait for it. */
enum aisp_status cpu_bad_end(struct aisp_session *s, const struct cpu_wait *a, int end, struct aisp_observation *seen,
                             struct aisp_err *err)
{
    struct cpu_worker *w = a->culprit;

    if (end == CPU_STOPPED)
        return aisp_fail(err, AISP_E_INTERRUPTED, "interrupted");
    if (end == CPU_LATE) {
        cpu_kill_side(s, w->side);
        return aisp_fail(err, AISP_E_DEVICE, "making contents took so long that a held stream may have gone on without them");
    }
    w->timed_out = end == CPU_TIMED_OUT;
    cpu_kill(w);
    cpu_observe_death(s, w, seen);
    if (end == CPU_NONSENSE) {
        cpu_observation(seen, w->side, AISP_SEEN_PROTOCOL, w->phase);
        strcpy(seen->detail, "it answered what was not asked; it was killed");
    }
    if (end == CPU_CROWD) {
        cpu_observation(seen, w->side, AISP_SEEN_PROTOCOL, w->phase);
        seen->seen = w->max_tasks;
        seen->allowed = cpu_most_tasks(s, w);
        snprintf(seen->detail, sizeof seen->detail, "it has %d threads, more than the %d that a worker may have; it was killed",
                 w->max_tasks, cpu_most_tasks(s, w));
    }
    if (end == CPU_UNHELD) {
        cpu_observation(seen, w->side, AISP_SEEN_PROTOCOL, w->phase);
        strcpy(seen->detail, "its held stream did not run for a second");
    }
    cpu_observe_rank(s, w, seen);
    cpu_kill_side(s, w->side);
    return aisp_fail(err, AISP_E_WORKER, "%s: %s", w->path, seen->detail);
}

/* A worker's word of its own success is believed only in so far as a bad one is. */
static enum aisp_status check_status(struct aisp_session *s, enum aisp_side side,
                                     struct aisp_observation *seen, struct aisp_err *err)
{
    for (int r = 0; r < s->n_ranks; r++) {
        struct cpu_worker *w = &s->worker[side][r];
        const int status = w->up->status;

        if (status == AISP_OK)
            continue;
        cpu_observe_status(s, w, status, seen);
        cpu_observe_rank(s, w, seen);
        cpu_kill_side(s, side);
        return aisp_fail(err, AISP_E_WORKER, "%s: %s", w->path, seen->detail);
    }
    return AISP_OK;
}

static bool has_answered(const uint32_t *word, uint32_t seq)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE) == seq;
}

/* Looked at before it is asked: once it is, an honest worker may be quicker than the next look. */
void cpu_post(struct cpu_worker *w, enum aisp_worker_command command)
{
    const uint32_t next = w->seq + 1;

    w->foresaw |= has_answered(&w->up->ready_seq, next) || has_answered(&w->up->done_seq, next) ||
                  has_answered(&w->up->awake_seq, next) || has_answered(&w->up->end_seq, next);
    w->down->command = command;
    __atomic_store_n(&w->down->command_seq, ++w->seq, __ATOMIC_RELEASE);
    cpu_wake(&w->down->command_seq);
}

enum aisp_status cpu_answer(struct aisp_session *s, enum aisp_side side, int64_t timeout_ns,
                            struct aisp_observation *seen, struct aisp_err *err)
{
    struct cpu_wait a = { .side = side, .timeout_ns = timeout_ns, .is_command = true };
    const int end = cpu_wait(s, &a);

    if (end != CPU_DONE)
        return cpu_bad_end(s, &a, end, seen, err);
    return check_status(s, side, seen, err);
}

enum aisp_status cpu_command(struct aisp_session *s, enum aisp_side side, enum aisp_worker_command command,
                             int64_t timeout_ns, struct aisp_observation *seen,
                             struct aisp_err *err)
{
    for (int r = 0; r < s->n_ranks; r++)
        cpu_post(&s->worker[side][r], command);
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
int64_t cpu_own_switches(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_THREAD, &usage) ? 0 : usage.ru_nivcsw;
}

/* How much CPU time a worker may use between arm and go: it wakes and touches its slots where they
 * are to be in the cache, and it spins from when it may have been ready until go (`spun_ns`): for as
 * long as the supervisor is put aside, by the kernel or by the host, and until all ranks are ready.
 * Beyond that it works on contents that it should first see at go. */
int64_t cpu_lead_ns(const struct aisp_session *s, int64_t spun_ns)
{
    const size_t lines = cpu_working_bytes(s) / CPU_LINE;
    const int64_t prime_ns = cpu_is_primed(s) ? (int64_t)lines * LEAD_LINE_NS : 0;

    return (s->far ? FAR_LEAD_NS : LEAD_NS) + prime_ns + (s->spin ? spun_ns : 0);
}

/* Ranks wait for the last of them to be ready, which none may use to work for long. A card's worker spins until it has its turn,
 * which a resident kernel delays by 2 ms. Before go an honest worker has one thread that runs, which cannot have run for longer than
 * the time that passed: what is allowed beyond that would be spent by another, in the window or after done. */
static void allow_lead(struct aisp_session *s, enum aisp_side side, int64_t go_ns, int64_t gap_ns)
{
    int64_t last_ns = INT64_MIN;

    for (int r = 0; r < s->n_ranks; r++)
        last_ns = s->worker[side][r].unready_ns > last_ns ? s->worker[side][r].unready_ns : last_ns;
    for (int r = 0; r < s->n_ranks; r++) {
        struct cpu_worker *w = &s->worker[side][r];
        const int64_t spun_ns = go_ns - w->unready_ns, most_ns = go_ns - last_ns + RANK_WAIT_NS;
        const int64_t lead_ns = cpu_lead_ns(s, spun_ns < most_ns ? spun_ns : most_ns);

        w->lead_ns = s->far || lead_ns > gap_ns ? gap_ns : lead_ns;
    }
}

void cpu_publish(struct aisp_session *s, enum aisp_side side, const struct aisp_order *order)
{
    for (int r = 0; r < s->n_ranks; r++)
        publish(s->worker[side][r].down, order);
}

static void go_all(struct aisp_session *s, enum aisp_side side)
{
    for (int r = 0; r < s->n_ranks; r++) {
        struct cpu_worker *w = &s->worker[side][r];

        __atomic_store_n(&w->down->go_seq, w->seq, __ATOMIC_RELEASE);
        if (!s->spin)
            cpu_wake(&w->down->go_seq);
    }
}

/* The time is the last rank's end minus the first one's go. Their own words: the last end minus the first start. */
static void note_ends(struct aisp_session *s, enum aisp_side side, int64_t go_ns,
                      struct aisp_window *times)
{
    int64_t end_ns = go_ns, inner_start_ns = INT64_MAX, inner_end_ns = INT64_MIN;

    for (int r = 0; r < s->n_ranks; r++) {
        struct cpu_worker *w = &s->worker[side][r];
        const int64_t start = w->up->start_ns, end = w->up->end_ns;

        w->span.end_ns = w->done_ns - go_ns;
        w->span.inner_ns = end - start;
        end_ns = w->done_ns > end_ns ? w->done_ns : end_ns;
        inner_start_ns = start < inner_start_ns ? start : inner_start_ns;
        inner_end_ns = end > inner_end_ns ? end : inner_end_ns;
    }
    if (!aisp_defends(&s->policy, AISP_RANK_SPAN)) /* as a clock beside the first rank would have it */
        end_ns = s->worker[side][0].done_ns;
    times->window_ns = end_ns - go_ns;
    times->inner_ns = inner_end_ns - inner_start_ns;
}

static int timed_part(struct aisp_session *s, struct cpu_wait *a, const struct aisp_order *order,
                      struct aisp_window *times)
{
    const bool secret = aisp_defends(&s->policy, AISP_SLOT_SECRECY);
    int64_t arm_ns, go_ns, switches;
    int end;

    if (!secret)
        cpu_publish(s, a->side, order);
    arm_ns = aisp_now_ns();
    for (int r = 0; r < s->n_ranks; r++)
        s->worker[a->side][r].down->is_held = 0;
    for (int r = 0; r < s->n_ranks; r++)
        cpu_post(&s->worker[a->side][r], AISP_COMMAND_WINDOW);
    a->word = CPU_WORD_READY;
    a->since_ns = arm_ns;
    end = cpu_wait(s, a);
    if (end != CPU_DONE)
        return end;
    if (order->ready && !s->far && !s->has_huge)
        order->ready(order->context);
    if (secret)
        cpu_publish(s, a->side, order);
    for (int r = 0; r < s->n_ranks; r++) /* who is done before go; before the stamp, for it is a line of another core's cache */
        s->worker[a->side][r].foresaw |= has_answered(&s->worker[a->side][r].up->done_seq, s->worker[a->side][r].seq);
    switches = cpu_own_switches();
    a->word = CPU_WORD_DONE;
    a->since_ns = 0;
    go_ns = aisp_now_ns();
    go_all(s, a->side);
    a->order = order;
    end = cpu_wait(s, a);
    times->involuntary_switches = (int32_t)(cpu_own_switches() - switches);
    times->start_ns = go_ns;
    times->gap_ns = go_ns - arm_ns;
    allow_lead(s, a->side, go_ns, times->gap_ns);
    if (end == CPU_DONE)
        note_ends(s, a->side, go_ns, times);
    return end;
}

/* A worker can work between arm and go, and it can say done and work on until it sleeps. From one
 * sleep to the next its CPU clock is exact at both ends, and between go and done no more time can
 * have passed on it than on the supervisor's, on each of its cores: what is beyond that and the
 * lead-in was used outside of the window, and is left to be found as such before the next one. */
static void charge_work_outside(const struct aisp_session *s, struct cpu_worker *w)
{
    const int64_t at_most = w->before_ns + w->lead_ns + s->n_threads * w->span.end_ns;

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
static void count(const struct aisp_session *s, struct cpu_worker *w, struct aisp_window *times)
{
    const int own = s->spin && !w->down->is_held ? 1 : 2;
    const struct cpu_traffic sent = cpu_traffic_of(w);
    struct cpu_counters after;
    int64_t voluntary, involuntary;

    cpu_counters(w, &after, true);
    /* Which sleeps are for another rank cannot be told; nor can, without a core to spare, whom the supervisor puts aside when it
     * wakes to stamp the end of a rank. */
    voluntary = s->n_ranks > 1 ? 0 : after.voluntary - w->last.voluntary - own;
    involuntary = after.involuntary - w->last.involuntary;
    if (s->n_ranks > 1 && !s->spin)
        involuntary = involuntary > 1 ? involuntary - 1 : 0;
    times->minor_faults += (int32_t)(after.minor_faults - w->last.minor_faults);
    times->major_faults += (int32_t)(after.major_faults - w->last.major_faults);
    times->voluntary_switches += (int32_t)(voluntary > 0 ? voluntary : 0);
    times->involuntary_switches += (int32_t)involuntary;
    w->span.cpu_ns = w->asleep_cpu_ns - w->before_ns;
    w->span.n_sent = sent.n < 0 ? -1 : sent.n - w->sent.n;
    w->span.sent_bytes = sent.n < 0 ? -1 : sent.bytes - w->sent.bytes;
}

/* What is known of each before it is armed. */
void cpu_before_window(struct aisp_session *s, enum aisp_side side, struct aisp_window *times)
{
    times->idle_ns = 0;
    times->minor_faults = times->major_faults = times->voluntary_switches = 0;
    for (int r = 0; r < s->n_ranks; r++) {
        struct cpu_worker *w = &s->worker[side][r];

        w->span = (struct aisp_rank_span){ .side = (int8_t)side, .rank = (int8_t)r };
        w->sent = cpu_traffic_of(w);
        cpu_counters(w, &w->last, true);
        w->before_ns = cpu_time_ns(w);
        w->span.idle_ns = w->before_ns - w->asleep_cpu_ns;
        if (r == 0 || w->span.idle_ns > times->idle_ns)
            times->idle_ns = w->span.idle_ns;
    }
}

static void after_window(struct aisp_session *s, enum aisp_side side, struct aisp_window *times)
{
    for (int r = 0; r < s->n_ranks; r++) {
        struct cpu_worker *w = &s->worker[side][r];

        cpu_settle(s, w);
        charge_work_outside(s, w);
        count(s, w, times);
        cpu_process_touched(w);
    }
}

enum aisp_status cpu_window_begin(struct aisp_session *s, struct cpu_wait *a, const struct aisp_order *order, cpu_set_t *place,
                                  struct aisp_observation *seen, struct aisp_err *err)
{
    enum aisp_status st;

    check_order(s, order);
    st = s->far ? cpu_far_ready(s, err) : cpu_files_ready(s, order, err);
    if (st)
        return st;
    for (int r = 0; r < s->n_ranks; r++) {
        a->culprit = &s->worker[a->side][r];
        a->culprit->phase = AISP_PHASE_TIMED;
        if (cpu_reap(a->culprit, false))
            return cpu_bad_end(s, a, CPU_DIED, seen, err);
    }
    take_place(s, place);
    return AISP_OK;
}

/* All of them, as they were when they had gone to sleep. */
static int count_tasks(struct aisp_session *s, struct cpu_wait *a)
{
    for (int r = 0; r < s->n_ranks; r++)
        if (s->worker[a->side][r].max_tasks > cpu_most_tasks(s, &s->worker[a->side][r])) {
            a->culprit = &s->worker[a->side][r];
            return CPU_CROWD;
        }
    return CPU_DONE;
}

enum aisp_status cpu_window_end(struct aisp_session *s, struct cpu_wait *a, int end, const cpu_set_t *place,
                                struct aisp_window *times, struct aisp_observation *seen, struct aisp_err *err)
{
    if (end == CPU_DONE) {
        after_window(s, a->side, times);
        end = count_tasks(s, a);
    }
    sched_setaffinity(0, sizeof *place, place);
    if (end != CPU_DONE)
        return cpu_bad_end(s, a, end, seen, err);
    return check_status(s, a->side, seen, err);
}

enum aisp_status cpu_window(struct aisp_session *s, enum aisp_side side,
                            const struct aisp_order *order, struct aisp_window *times,
                            struct aisp_observation *seen, struct aisp_err *err)
{
    struct cpu_wait a = { .side = side, .spin = s->spin, .timeout_ns = s->call_timeout_ns };
    enum aisp_status st;
    cpu_set_t place;
    int end;

    st = cpu_window_begin(s, &a, order, &place, seen, err);
    if (st)
        return st;
    if (s->held.is_on) {
        st = cpu_held_near(s, &a, &end, err);
        if (st) {
            sched_setaffinity(0, sizeof place, &place);
            return st;
        }
        end = end == CPU_DONE ? cpu_held_part(s, &a, order, times) : end;
    } else {
        cpu_before_window(s, side, times);
        end = timed_part(s, &a, order, times);
    }
    if (end == CPU_DONE && order->done)
        order->done(order->context);
    return cpu_window_end(s, &a, end, &place, times, seen, err);
}
